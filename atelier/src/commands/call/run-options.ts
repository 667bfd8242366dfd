// What `atelier run` is asked for, from its arguments.
import type { CreateContainerParams } from '../../../client/atelier.ts'
import { UsageError } from './exits.ts'

export interface RunOptions {
  readonly memory?: string
  readonly cpu?: string
  readonly timeout?: string
  readonly env?: readonly string[]
  readonly workdir?: string
  readonly user?: string
  readonly name?: string
  readonly network?: string
  readonly egressHost?: readonly string[]
  readonly secret?: readonly string[]
  readonly keep?: boolean
  readonly detach?: boolean
  readonly stdin?: boolean
}

export interface RunWish {
  readonly image: string
  readonly command: readonly string[]
  readonly timeoutSeconds: number
  readonly container: Omit<CreateContainerParams, 'image'>
  readonly isKept: boolean
  readonly isDetached: boolean
  readonly takesInput: boolean
}

const longestSeconds = 3_600
/** a container whose caller vanished ends by itself so long after its command had to */
const spareSeconds = 300
const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 }

export function readSeconds(option: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})(s|m|h)$/.exec(text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? 0)
  if (!(seconds >= 1 && seconds <= longestSeconds))
    throw new UsageError(`${option} must be a time such as 90s, 10m or 1h, up to 1h.`)
  return seconds
}

function readMemory(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(m|g|)$/i.exec(text) ?? []
  const mebibytes = Number(count) * (unit.toLowerCase() === 'g' ? 1_024 : 1)
  if (!(mebibytes > 0)) throw new UsageError('--memory must be a number of MiB such as 512, 512m or 2g.')
  return mebibytes
}

function readCpu(text: string): number {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text))
    throw new UsageError('--cpu must be a number of processors such as 0.5 or 2.')
  return Number(text)
}

/** `NAME=value`, or `NAME` for the value that it has here */
function readVariable(text: string, own: Readonly<Record<string, string | undefined>>): [string, string] {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  const value = at < 0 ? own[name] : text.slice(at + 1)
  if (name === '') throw new UsageError('--env must be NAME=value, or NAME for a variable that is set here.')
  if (value === undefined) throw new UsageError(`--env ${name}: there is no such variable here.`)
  return [name, value]
}

function checkDetached({ timeout, keep }: RunOptions) {
  if (timeout !== undefined)
    throw new UsageError('--detach takes no --timeout: the command runs until it ends by itself.')
  if (keep) throw new UsageError('--detach takes no --keep: the container stays in any case.')
}

type Secrets = NonNullable<CreateContainerParams['secrets']>

/** `NAME@host`, with the value that NAME has here: never as an argument */
function readSecrets(texts: readonly string[], own: Readonly<Record<string, string | undefined>>): Secrets {
  const found = new Map<string, { value: string; hosts: string[] }>()
  for (const text of texts) {
    const [, name = '', host = ''] = /^([^@]+)@([^@]+)$/.exec(text) ?? []
    const value = own[name]
    if (host === '') throw new UsageError('--secret must be NAME@host, such as API_KEY@api.example.com.')
    if (value === undefined) throw new UsageError(`--secret ${name}: there is no such variable here.`)
    const { hosts } = found.get(name) ?? { hosts: [] }
    found.set(name, { value, hosts: [...hosts, host] })
  }
  return Object.fromEntries(found)
}

export function readRunWish(image: string, words: readonly string[], options: RunOptions, own = process.env): RunWish {
  const { memory, cpu, timeout = '1h', env = [], workdir, user, name, network, egressHost, secret = [] } = options
  const { keep = false, detach = false, stdin = true } = options
  if (detach) checkDetached(options)
  // what comes behind the image is the command; the two dashes may be left out
  const command = words[0] === '--' ? words.slice(1) : words
  if (command.length === 0)
    throw new UsageError('There is no command. For example: atelier run busybox -- sh -c "id; uname -sr"')
  const timeoutSeconds = readSeconds('--timeout', timeout)
  return {
    image,
    command,
    timeoutSeconds,
    isKept: keep,
    isDetached: detach,
    takesInput: stdin,
    container: {
      name,
      user,
      workingDir: workdir,
      network: network as 'none' | 'egress' | undefined,
      egress: egressHost && { hosts: egressHost },
      secrets: secret.length > 0 ? readSecrets(secret, own) : undefined,
      env: Object.fromEntries(env.map((text) => readVariable(text, own))),
      limits: {
        memoryMiB: memory === undefined ? undefined : readMemory(memory),
        cpu: cpu === undefined ? undefined : readCpu(cpu),
      },
      ttlSeconds: keep || detach ? undefined : timeoutSeconds + spareSeconds,
    },
  }
}
