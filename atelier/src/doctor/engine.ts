// Examines the engine: its socket, its version, its user namespaces, its runtime, and whether it hangs.
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { withDeadline } from '../../../base/core/abort.ts'
import { printable } from '../../../base/core/printable.ts'
import { type Engine, EngineError, type EngineInfo } from '../engine/port.ts'
import { examineVersion } from './engine-content.ts'
import type { Finding } from './finding.ts'
import { examineInodes } from './room.ts'

const othersWrite = 0o002
const othersPass = 0o001

/** To connect to a socket, others must write to it, and pass all folders above. Docker's own belongs to a group on purpose. */
function canOthersConnect(socket: string): boolean {
  if ((statSync(socket).mode & othersWrite) === 0) return false
  for (let folder = dirname(socket); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & othersPass) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

function examineSocket(socket: string): Finding[] {
  try {
    if (!canOthersConnect(socket)) return []
    const fix = `chmod o= ${socket}, or keep it in a folder of mode 0700.`
    return [
      {
        problem: `Other users of this machine can reach the engine's socket ${socket}, which is as good as root.`,
        fix,
      },
    ]
  } catch {
    return []
  }
}

function hasRanges(file: string): boolean {
  try {
    return /^containers:/m.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

function examineRanges({ dialect }: EngineInfo): Finding[] {
  const missing = ['/etc/subuid', '/etc/subgid'].filter((file) => !hasRanges(file))
  if (dialect !== 'podman' || missing.length === 0) return []
  const problem = `Podman has no ranges for user namespaces in ${missing.join(' and ')}: no container can be created.`
  return [{ problem, fix: 'Add the line containers:1000000:1000000 to both files.' }]
}

const runtimeFixes = {
  podman: (runtime: string) =>
    `Set runtime = "${runtime}" below [engine] in Podman's containers.conf, and start Podman again.`,
  docker: (runtime: string) => `Add "${runtime}" to "runtimes" in Docker's daemon.json, and start Docker again.`,
} as const

function examineRuntime({ dialect, takesRuntime }: EngineInfo, runtime: string | null): Finding[] {
  if (takesRuntime || runtime === null) return []
  const problem = `The engine does not take the runtime ${runtime} of engine.runtime: no container can be created.`
  return [{ problem, fix: runtimeFixes[dialect](runtime) }]
}

const start = 'Start Podman or Docker there, or set engine.socket.'
const again = 'Look at its log and at its disk, and restart it: with Podman running containers survive that.'

const unopened: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  ENOENT: ['there is no socket', start],
  ECONNREFUSED: ['nobody listens at the socket', start],
  EACCES: [
    'this user may not open the socket',
    'Run this as the user of the service, and give that user the socket (SocketUser= of podman.socket, or the group docker).',
  ],
  ENOTSOCK: ['it is no socket', start],
}

function absent(socket: string, error: unknown): Finding {
  const cause = error instanceof EngineError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  const [reason, fix] = unopened[cause?.code ?? ''] ?? ['it does not answer as an engine', start]
  return { problem: `No engine answers at ${socket}: ${reason}.`, fix }
}

const hanging = (socket: string, act: string): Finding => ({
  problem: `The engine at ${socket} hangs: it takes connections and does not ${act}.`,
  fix: again,
})

const failing = (socket: string, { cause, message }: Error): Finding => ({
  problem: `The engine at ${socket} does not list its containers: ${printable(typeof cause === 'string' ? cause : message)}.`,
  fix: again,
})

const asError = (error: unknown): Error => error as Error
const late = 'late' as const

/** `answers`: whether it makes sense to ask the engine for more */
export async function examineEngine(
  engine: Engine,
  { socket, runtime, patienceMs }: { socket: string; runtime: string | null; patienceMs: number },
): Promise<{ readonly found: readonly Finding[]; readonly answers: boolean }> {
  const within = <T>(asking: Promise<T>) => withDeadline(asking.catch(asError), patienceMs, () => late)
  const open = examineSocket(socket)
  const info = await within(engine.info())
  if (info === late) return { found: [...open, hanging(socket, 'say its version')], answers: false }
  if (info instanceof Error) return { found: [...open, absent(socket, info)], answers: false }
  const found = [
    ...open,
    ...examineVersion(info),
    ...examineRanges(info),
    ...examineRuntime(info, runtime),
    ...examineInodes(info.storage),
  ]
  const list = await within(engine.list())
  if (list === late) return { found: [...found, hanging(socket, 'list its containers')], answers: false }
  return list instanceof Error ? { found: [...found, failing(socket, list)], answers: false } : { found, answers: true }
}
