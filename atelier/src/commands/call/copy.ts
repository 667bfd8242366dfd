// `atelier cp`: a file or a directory into a container, or out of it.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, lstat, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AtelierError, type FileAnswer } from '../../../client/atelier.ts'
import { counted as countedWords } from '../../../../base/core/plural.ts'
import { UserError } from '../../../../base/cli/user-error.ts'
import { printJson, say } from '../../../../base/cli/output.ts'
import { Problem } from '../../problems.ts'
import { writeTar } from '../../files/write-tar.ts'
import { findContainer } from './find.ts'
import { readLocalTree, writeLocalTree } from './local-tree.ts'
import { type CallOptions, type Context, perform } from './perform.ts'
import { inside, readCopy, type RemotePlace } from './place.ts'
import { type Progress, startProgress } from './progress.ts'

interface Transfer extends Context {
  readonly containerId: string
  readonly progress: Progress
  /** names that are not copied */
  readonly left: string[]
  /** what this machine refused to read, which the request reports as its own failure */
  readonly faults: unknown[]
}

const owner = { uid: 0, gid: 0 }

async function* counted(source: AsyncIterable<Uint8Array>, progress: Progress) {
  for await (const piece of source) {
    progress.add(piece.length)
    yield piece
  }
}

async function* readable(source: AsyncIterable<Uint8Array>, { progress, faults }: Transfer) {
  try {
    yield* counted(source, progress)
  } catch (error) {
    faults.push(error)
    throw error
  }
}

const webStream = (source: AsyncIterable<Uint8Array>, transfer: Transfer): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(readable(source, transfer), { objectMode: false })) as ReadableStream<Uint8Array>

const isOfType = (error: unknown, type: string): boolean => error instanceof AtelierError && error.type === type

interface Copied {
  readonly path: string
  readonly sizeBytes: number
}

async function putOneFile(local: string, path: string, transfer: Transfer): Promise<Copied> {
  const { atelier, containerId, signals } = transfer
  const { mode, size: sizeBytes } = await stat(local)
  const text = `0${(mode & 0o777).toString(8).padStart(3, '0')}`
  const wish = { containerId, path, mode: text, createParents: true, sizeBytes }
  // what is appended meanwhile is left out
  const content = sizeBytes === 0 ? '' : webStream(createReadStream(local, { end: sizeBytes - 1 }), transfer)
  return atelier.putFile(wish, content, { signal: signals.signal })
}

async function putTree(local: string, path: string, transfer: Transfer): Promise<Copied> {
  const { atelier, containerId, left, signals } = transfer
  const tar = writeTar(
    readLocalTree(local, (name) => left.push(name)),
    owner,
  )
  const wish = { containerId, path, createParents: true }
  return atelier.putFileTree(wish, webStream(tar, transfer), { signal: signals.signal })
}

async function copyIn(local: string, { path, isInto }: RemotePlace, transfer: Transfer): Promise<Copied> {
  const name = basename(resolve(local))
  const target = isInto ? inside(path, name) : path
  if ((await stat(local)).isDirectory()) return putTree(local, target, transfer)
  try {
    return await putOneFile(local, target, transfer)
  } catch (error) {
    if (isInto || !isOfType(error, 'is_directory')) throw error
    return putOneFile(local, inside(path, name), transfer)
  }
}

/** beside its target, so that it can take its place at once */
const beside = (target: string): string =>
  join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`)

async function writeFile(file: FileAnswer, target: string, { progress, signals }: Transfer): Promise<Copied> {
  const part = beside(target)
  try {
    const source = Readable.from(counted(file.body, progress))
    await pipeline(source, createWriteStream(part, { flags: 'wx', mode: 0o600 }), { signal: signals.signal })
    await chmod(part, Number.parseInt(file.mode, 8) & 0o777)
    await rename(part, target)
  } finally {
    await rm(part, { force: true })
  }
  return { path: target, sizeBytes: file.sizeBytes }
}

async function writeTree(path: string, target: string, transfer: Transfer): Promise<Copied> {
  const { atelier, containerId, progress, left, signals } = transfer
  if (await lstat(target).catch(() => undefined))
    throw new UserError(`${target} is there already: name another one, or end it with a slash to copy into it.`)
  const { body } = await atelier.readFileTree({ containerId, path }, { signal: signals.signal })
  const part = beside(target)
  let sizeBytes = 0
  const meter = { ...progress, add: (bytes: number) => ((sizeBytes += bytes), progress.add(bytes)) }
  try {
    await mkdir(part, { mode: 0o700 })
    await writeLocalTree(counted(body, meter), part, (name) => left.push(name))
    await chmod(part, 0o755)
    await rename(part, target)
  } catch (error) {
    throw error instanceof Problem
      ? new UserError('The tree broke off on its way: try again.', { cause: error })
      : error
  } finally {
    await rm(part, { recursive: true, force: true })
  }
  return { path: target, sizeBytes }
}

async function copyOut({ path }: RemotePlace, local: string, transfer: Transfer): Promise<Copied> {
  const { atelier, containerId, signals } = transfer
  const isInto = local.endsWith('/') || (await stat(local).catch(() => undefined))?.isDirectory() === true
  const target = isInto ? join(local, basename(path) || 'root') : local
  if (isInto) await mkdir(local, { recursive: true })
  if (path === '/') return writeTree(path, target, transfer)
  try {
    const file = await atelier.readFile({ containerId, path }, { signal: signals.signal })
    return await writeFile(file, target, transfer)
  } catch (error) {
    if (!isOfType(error, 'is_directory')) throw error
    return writeTree(path, target, transfer)
  }
}

const mostNamed = 5

function sayLeft(left: readonly string[]) {
  if (left.length === 0) return
  const named = left.slice(0, mostNamed).join(', ')
  say(
    `atelier: left out ${countedWords(left.length, 'name')} that cannot be copied: ${named}${left.length > mostNamed ? ', …' : ''}`,
  )
}

async function copyOne(from: string, to: string, context: Context): Promise<number> {
  const { way, local, remote } = readCopy(from, to)
  const progress = startProgress('Copying')
  try {
    const containerId = await findContainer(context.atelier, remote.container)
    const transfer: Transfer = { ...context, containerId, progress, left: [], faults: [] }
    const work = way === 'in' ? copyIn(local, remote, transfer) : copyOut(remote, local, transfer)
    const copied = await work.catch((error: unknown) => {
      throw transfer.faults[0] ?? error
    })
    progress.end()
    sayLeft(transfer.left)
    if (context.isJson) printJson({ path: copied.path, sizeBytes: copied.sizeBytes, leftOut: transfer.left })
    return 0
  } finally {
    progress.end()
  }
}

export const copy = (from: string, to: string, options: CallOptions): Promise<never> =>
  perform(options, (context) => copyOne(from, to, context))
