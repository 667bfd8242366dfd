// `atelier ssh`: a session with a key pair of its own, which is gone afterwards, and the ssh program of this machine.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SshSession } from '../../../client/atelier.ts'
import { shellWord } from '../../../../base/core/source-text.ts'
import { UserError } from '../../../../base/cli/user-error.ts'
import { makeKeyPair } from '../../ssh/key-pair.ts'
import { sshFailure, UsageError } from './exits.ts'
import { findContainer } from './find.ts'
import { type CallOptions, type Context, perform } from './perform.ts'
import { exitOfSignal, type Signals } from './signals.ts'

interface SshOptions extends CallOptions {
  readonly ttl?: string
}

const standardTtlSeconds = 3_600

function readTtl(text: string | undefined): number {
  if (text === undefined) return standardTtlSeconds
  const minutes = Number(/^(\d{1,2})m$/.exec(text)?.[1] ?? Number.NaN)
  if (!(minutes >= 1 && minutes <= 60)) throw new UsageError('--ttl must be minutes such as 10m, up to 60m.')
  return minutes * 60
}

/** several words arrive as they are; a single one is a line for the shell of the container */
const commandOf = (words: readonly string[]): string[] =>
  words.length > 1 ? [words.map(shellWord).join(' ')] : [...words]

async function argumentsOf({ host, port, username, hostKey }: SshSession, folder: string, privateKey: string) {
  const [known, identity] = [join(folder, 'known_hosts'), join(folder, 'id')]
  await writeFile(known, `[${host}]:${port} ${hostKey}\n`)
  await writeFile(identity, privateKey, { mode: 0o600 })
  const settings = {
    UserKnownHostsFile: known,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: 'yes',
    CheckHostIP: 'no',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    PreferredAuthentications: 'publickey',
    BatchMode: 'yes',
    LogLevel: 'ERROR',
  }
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  // settings of this machine are for other hosts
  return ['-F', '/dev/null', ...pairs, '-i', identity, '-p', String(port), '-l', username, host]
}

/** ssh has the terminal; a signal for this process is one for ssh */
async function runSsh(args: readonly string[], { signal: stopped }: Signals): Promise<number> {
  const child = spawn('ssh', args, { stdio: 'inherit' })
  const end = () => void child.kill('SIGTERM')
  stopped.addEventListener('abort', end)
  try {
    return await new Promise((ok, no) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        no(error.code === 'ENOENT' ? new UserError('There is no ssh program here: install OpenSSH’s client.') : error),
      )
      child.once('close', (code, signal) => ok(code ?? exitOfSignal(signal ?? 'SIGTERM')))
    })
  } finally {
    stopped.removeEventListener('abort', end)
  }
}

async function connect(word: string, words: readonly string[], ttlSeconds: number, { atelier, signals }: Context) {
  const containerId = await findContainer(atelier, word)
  const { privateKey, publicKey } = makeKeyPair()
  const session = await atelier.createSshSession({ containerId, publicKey, ttlSeconds })
  const folder = await mkdtemp(join(tmpdir(), 'atelier-session-'))
  try {
    const args = await argumentsOf(session, folder, privateKey)
    signals.signal.throwIfAborted()
    return await runSsh([...args, ...commandOf(words)], signals)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function ssh(container: string, command: readonly string[], options: SshOptions): Promise<never> {
  const words = command[0] === '--' ? command.slice(1) : command
  return perform(options, (context) => connect(container, words, readTtl(options.ttl), context), sshFailure)
}
