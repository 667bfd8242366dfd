// Where hostile commands run: as a user that nothing else runs as, outside and inside a process namespace of their own.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { type Client, openResident, program } from './client.ts'

const isRoot = process.getuid?.() === 0
const namespace = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
const asUser = (user: number) => ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--']
const limited = (processes: number) => ['prlimit', `--nproc=${processes}`, '--']

const works = (argv: readonly string[]): boolean => spawnSync(argv[0]!, argv.slice(1)).status === 0

export interface Place {
  readonly name: string
  /** false, or why nothing can be tried here */
  readonly skip: string | false
  /** in front of the program */
  readonly around: readonly string[]
}

let nextUser = 50_000 + (process.pid % 100) * 100

const placeOf = (name: string, around: readonly string[]): Place => ({
  name,
  skip: isRoot && works([...around, ...asUser(nextUser), 'true']) ? false : `NOT TRIED ${name}: it takes root`,
  around,
})

export const outside = placeOf('started by another process', [])
export const asProcess1 = placeOf('as process 1', namespace)
export const places = [outside, asProcess1] as const

interface Process {
  readonly id: number
  readonly isAlive: boolean
}

function readProcess(name: string, user: number): Process[] {
  try {
    const status = readFileSync(`/proc/${name}/status`, 'utf8')
    const [, state] = /^State:\s+(\w)/m.exec(status) ?? []
    const isOfUser = new RegExp(`^Uid:\\s+${user}\\s`, 'm').test(status)
    const isOrphan = /^PPid:\s+1$/m.test(status)
    const isAlive = state !== 'Z' || Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]) > 1
    // the first process of this machine may be slow to take zombies
    return isOfUser && (isAlive || !isOrphan) ? [{ id: Number(name), isAlive }] : []
  } catch {
    return []
  }
}

const processesOf = (user: number): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(name, user))

export interface Opened {
  readonly client: Client
  /** of all processes of the user, zombies too, sorted */
  readonly ids: () => number[]
}

/** a resident of a user of its own, who may have so many processes */
export function openAt(t: TestContext, { around }: Place, processes = 2000): Opened {
  const user = nextUser++
  t.after(async () => {
    client.child.kill('SIGKILL')
    await until(() => {
      // all in one call: a process that moves on by forking may be in no list of /proc
      spawnSync('setpriv', [...asUser(user).slice(1), 'sh', '-c', 'kill -KILL -1'])
      return !processesOf(user).some(({ isAlive }) => isAlive)
    })
  })
  const client: Client = openResident(t, {}, [...around, ...limited(processes), ...asUser(user), program])
  return {
    client,
    ids: () =>
      processesOf(user)
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
  }
}
