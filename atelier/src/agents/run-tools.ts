// What each tool does. Answers hold text for agents that read text, and the same as members for programs.
import type { Container } from '../../client/atelier.ts'
import { boundBytes, boundText, createMarker, mostBytes } from './bounded.ts'
import { ToolFailure } from './failures.ts'
import type { AgentContainer, AgentSession } from './session.ts'

export interface ToolAnswer {
  readonly text: string
  readonly members: Readonly<Record<string, unknown>>
}

export interface ToolContext {
  readonly session: AgentSession
  readonly signal: AbortSignal
}

interface InContainer {
  readonly containerId?: string
}

/** `..` is left to the service, which refuses it */
function absolute({ workingDir }: AgentContainer, path: string): string {
  const bare = path.replace(/^(\.\/+)+/, '')
  return path.startsWith('/') ? path : `${workingDir === '/' ? '' : workingDir}/${bare}`
}

interface CreateArguments {
  readonly image?: string
  readonly memoryMiB?: number
  readonly cpu?: number
  readonly ttlSeconds?: number
}

const told = ({ id, image, workingDir, user, network, limits, expiresAt }: Container) => ({
  containerId: id,
  image: image.name,
  workingDir,
  user,
  network,
  limits,
  expiresAt,
})

export async function createContainer(
  { image, memoryMiB, cpu, ttlSeconds }: CreateArguments,
  { session }: ToolContext,
): Promise<ToolAnswer> {
  const members = told(await session.create({ image, ttlSeconds, limits: { memoryMiB, cpu } }))
  return { text: JSON.stringify(members), members }
}

interface RunArguments extends InContainer {
  readonly command: string | readonly string[]
  readonly stdin?: string
  readonly timeoutSeconds?: number
  readonly workingDir?: string
}

interface Ended {
  readonly exitCode: number
  readonly timedOut: boolean
  readonly oomKilled: true | null
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
}

function noteOf({ timedOut, oomKilled, stdoutTruncated, stderrTruncated }: Ended, isLong: boolean): string {
  const notes = [
    timedOut
      ? 'It ran longer than timeoutSeconds and was killed with all its processes: give it more, or do less.'
      : '',
    oomKilled ? 'The memory limit was reached: create a container with more memoryMiB, or use less.' : '',
    stdoutTruncated || stderrTruncated ? 'There was more output than the service keeps.' : '',
    isLong ? 'To see all of it, write it to a file, and read that with read_file.' : '',
  ]
  return notes.filter(Boolean).join(' ')
}

export async function runCommand(
  { containerId, command, stdin, timeoutSeconds, workingDir }: RunArguments,
  { session, signal }: ToolContext,
): Promise<ToolAnswer> {
  const container = session.find(containerId)
  const argv = typeof command === 'string' ? ['/bin/sh', '-c', command] : command
  const place = workingDir === undefined ? undefined : absolute(container, workingDir)
  const wish = { containerId: container.id, command: argv, stdin, timeoutSeconds, workingDir: place }
  const ended = await session.atelier.runCommand(wish, { signal })
  const { exitCode, timedOut, oomKilled, durationMs } = ended
  const [stdout, stderr] = [boundText(ended.stdout), boundText(ended.stderr)]
  const note = noteOf(ended, Boolean(stdout.leftOut ?? stderr.leftOut))
  const leftOut = {
    ...(stdout.leftOut && { stdout: stdout.leftOut }),
    ...(stderr.leftOut && { stderr: stderr.leftOut }),
  }
  const marker = createMarker()
  const head = `exit code ${exitCode}${timedOut ? ' (timed out)' : ''} after ${durationMs} ms. ${marker.warning}`
  const lines = [
    head,
    ...(note === '' ? [] : [note]),
    marker.mark('stdout', stdout.text),
    marker.mark('stderr', stderr.text),
  ]
  return {
    text: lines.join('\n'),
    members: {
      exitCode,
      timedOut,
      ...(oomKilled && { outOfMemory: true }),
      durationMs,
      stdout: stdout.text,
      stderr: stderr.text,
      ...(Object.keys(leftOut).length > 0 && { leftOut }),
      ...(note !== '' && { note }),
      untrusted: ['stdout', 'stderr'],
    },
  }
}

/** no more than is shown is read of a large file, but for what stands before it */
async function readFrom(body: ReadableStream<Uint8Array>, offset: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let [skip, left] = [offset, mostBytes + 4]
  for await (const piece of body) {
    const part = Buffer.from(piece).subarray(Math.min(skip, piece.length), skip + left)
    skip = Math.max(0, skip - piece.length)
    left -= part.length
    parts.push(part)
    if (left <= 0) break
  }
  return Buffer.concat(parts)
}

const isText = (bytes: Buffer): boolean => !bytes.includes(0) && Buffer.from(bytes.toString()).equals(bytes)

interface ReadArguments extends InContainer {
  readonly path: string
  readonly offset?: number
}

export async function readFile(
  { containerId, path, offset = 0 }: ReadArguments,
  { session, signal }: ToolContext,
): Promise<ToolAnswer> {
  const container = session.find(containerId)
  const place = absolute(container, path)
  const { body, sizeBytes } = await session.atelier.readFile({ containerId: container.id, path: place }, { signal })
  if (offset > sizeBytes) {
    await body.cancel()
    throw new ToolFailure('invalid_request', `The file has ${sizeBytes} bytes.`, 'Give an offset within it.')
  }
  const bytes = await readFrom(body, offset)
  const shown = boundBytes(bytes)
  const isPlain = isText(shown)
  const [content, encoding] = isPlain ? [shown.toString(), 'utf8'] : [shown.toString('base64'), 'base64']
  const end = offset + shown.length
  const nextOffset = end < sizeBytes ? end : null
  const marker = createMarker()
  const more = nextOffset === null ? 'to its end' : `more from offset ${nextOffset} on`
  const head = `${place}: bytes ${offset} to ${end} of ${sizeBytes}, ${more}${isPlain ? '' : ', as base64'}. ${marker.warning}`
  return {
    text: [head, marker.mark('content', content)].join('\n'),
    members: { path: place, sizeBytes, content, encoding, nextOffset, untrusted: ['content'] },
  }
}

interface WriteArguments extends InContainer {
  readonly path: string
  readonly content: string
  readonly encoding?: 'utf8' | 'base64'
  readonly mode?: string
}

export async function writeFile(
  { containerId, path, content, encoding = 'utf8', mode }: WriteArguments,
  { session, signal }: ToolContext,
): Promise<ToolAnswer> {
  const container = session.find(containerId)
  const bytes = Buffer.from(content, encoding)
  if (encoding === 'base64' && bytes.toString('base64') !== content)
    throw new ToolFailure('invalid_request', 'The content is no base64 with padding.', 'Encode it anew, or send text.')
  const wish = { containerId: container.id, path: absolute(container, path), mode, createParents: true }
  const written = await session.atelier.putFile(wish, bytes, { signal })
  const members = { path: written.path, sizeBytes: written.sizeBytes }
  return { text: JSON.stringify(members), members }
}

export async function deleteContainer({ containerId }: InContainer, { session }: ToolContext): Promise<ToolAnswer> {
  const members = { containerId: await session.delete(containerId), deleted: true }
  return { text: JSON.stringify(members), members }
}
