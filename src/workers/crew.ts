// The workers of a service, as the primary has them: started, started again when they die, asked, told to end.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Observe } from '../observe.ts'
import type { Client, Keeper } from './keeper.ts'
import { closeWhatIsNotTaken } from './handed-over.ts'
import { gather, hear, type Question, type ToKeeper, type ToWorker } from './messages.ts'
import { createQuestions, type Questions } from './questions.ts'

export interface CrewOptions {
  readonly count: number
  readonly keeper: Keeper
  /** what a worker is given at its start, as it is now */
  readonly given: () => { readonly settings: unknown }
  readonly observe: Observe
  /** told when one is gone */
  readonly ended: (worker: number) => void
}

/** what one of them said; undefined: nothing, in the time that it had */
export interface Said<T> {
  readonly worker: number
  /** null: there is none at the moment */
  readonly pid: number | null
  readonly value: T | undefined
}

export interface Crew {
  /** resolves with the answer of the first once all of them serve; rejects with what the first says that cannot */
  start(): Promise<unknown>
  /** of all, those that do not serve at the moment included; `given`: to each his own */
  ask<T>(what: Question, given?: (worker: number) => unknown): Promise<readonly Said<T>[]>
  /** all of those that serve do this, or it rejects with what the first says that does not */
  all(what: Question, given?: unknown): Promise<void>
  readonly serves: () => boolean
  /** who holds on to what is no longer so is ended, and begins anew */
  end(workers: readonly number[]): void
  /** resolves when they are gone */
  close(how: object): Promise<void>
}

interface Member {
  readonly number: number
  readonly process: Worker
  readonly client: Client
  readonly questions: Questions
  readonly begunAt: number
  serves: boolean
  /** why it could not begin */
  failure?: string
  /** how it ended */
  gone?: string
}

/** how long one may take to open its house, and to answer while it serves */
const [openMs, answerMs] = [30_000, 2_000]
/** how soon the next one is started in the place of one that died: later each time, unless it had lived */
const [soonMs, lateMs, livedMs] = [100, 15_000, 60_000]
/** later than a worker ends by itself, and sooner than the service does */
const closeMs = 12_700

function enlist(number: number, keeper: Keeper): Member {
  const process = cluster.fork()
  closeWhatIsNotTaken(process.process)
  const put = gather<ToWorker>((messages) => process.isConnected() && process.send(messages, () => {}))
  const client = keeper.enter(put)
  const questions = createQuestions(`worker ${number}`, put)
  const hearing = { ...client.hearing, ...questions.hearing }
  process.on('message', (messages: readonly ToKeeper[]) => hear(messages, hearing))
  // a channel that breaks is followed by its end
  process.on('error', () => {})
  return { number, process, client, questions, begunAt: performance.now(), serves: false }
}

/** who is there, and who takes the place of one that dies */
function createRoster({ keeper, given, observe, ended: tell }: Omit<CrewOptions, 'count'>) {
  const members = new Map<number, Member>()
  const deaths = new Map<number, number>()
  /** one that dies at the first start is not started again: what is wrong is wrong with all */
  let stage: 'starting' | 'started' | 'closing' = 'starting'

  function againIn({ number, begunAt }: Member): number {
    const lived = performance.now() - begunAt > livedMs
    const before = lived ? 0 : (deaths.get(number) ?? 0)
    deaths.set(number, before + 1)
    return Math.min(lateMs, soonMs * 2 ** before)
  }

  function ended(member: Member, how: string) {
    const { number, client, questions } = member
    member.gone = how
    members.delete(number)
    client.leave()
    questions.end()
    tell(number)
    if (stage === 'started') begunAnew(member, how)
  }

  function begunAnew(member: Member, how: string) {
    const { number, failure = how } = member
    const againMs = againIn(member)
    observe({ kind: 'worker_ended', worker: number, how: failure, againMs })
    setTimeout(() => {
      if (stage === 'started') begin(add(number)).catch(() => {})
    }, againMs).unref()
  }

  function add(number: number): Member {
    const member = enlist(number, keeper)
    members.set(number, member)
    member.process.once('exit', (code, signal) => ended(member, signal ?? `status ${code}`))
    // where there was no room for a process, no end is told
    member.process.once('error', (error: NodeJS.ErrnoException) => {
      if (member.process.process.pid === undefined) ended(member, error.code ?? error.name)
    })
    return member
  }

  async function begin(member: Member): Promise<unknown> {
    const { number, questions, process } = member
    const first = given()
    try {
      const answer = await questions.ask('begin', { number, ...first }, openMs)
      // what has come into force while it opened
      if (given() !== first) await renew(questions, given())
      member.serves = true
      if (stage === 'started') observe({ kind: 'worker_started', worker: number })
      return answer
    } catch (error) {
      member.failure = (error as Error).message
      if (process.process.pid !== undefined) process.process.kill('SIGKILL')
      throw error
    }
  }

  return { members, add, begin, begunAnew, stage: () => stage, become: (next: typeof stage) => (stage = next) }
}

async function renew(questions: Questions, given: { readonly settings: unknown }) {
  await questions.ask('prepare', given.settings, answerMs)
  await questions.ask('commit', null, answerMs)
}

async function endOf({ process, questions, serves }: Member, how: object) {
  if (process.isDead()) return
  const exit = once(process, 'exit')
  const end = () => process.process.kill('SIGKILL')
  const late = setTimeout(end, closeMs)
  if (serves) questions.ask('close', how, closeMs).catch(() => {})
  else end()
  await exit
  clearTimeout(late)
}

export function createCrew({ count, ...options }: CrewOptions): Crew {
  cluster.setupPrimary({ args: ['worker'] })
  const roster = createRoster(options)
  const { members } = roster
  const serving = (): Member[] => [...members.values()].filter(({ serves }) => serves)
  // they load their code while the primary opens its house
  const first = Array.from({ length: count }, (_, i) => roster.add(i + 1))

  async function askOne<T>(worker: number, what: Question, asked: unknown): Promise<Said<T>> {
    const member = members.get(worker)
    const pid = member?.process.process.pid ?? null
    if (!member?.serves) return { worker, pid, value: undefined }
    member.client.refresh()
    const value = await member.questions.ask(what, asked, answerMs).catch(() => undefined)
    return { worker, pid, value: value as T | undefined }
  }

  return {
    async start() {
      try {
        const [answer] = await Promise.all(first.map(roster.begin))
        roster.become('started')
        // who died behind the others that still began
        for (const member of first) if (member.gone !== undefined) roster.begunAnew(member, member.gone)
        return answer
      } catch (error) {
        // a signal came first: the process ends, and nobody waits for this
        return roster.stage() === 'closing' ? new Promise<never>(() => {}) : Promise.reject(error)
      }
    },
    ask: <T>(what: Question, given: (worker: number) => unknown = () => null) =>
      Promise.all(Array.from({ length: count }, (_, i) => askOne<T>(i + 1, what, given(i + 1)))),
    async all(what, asked = null) {
      await Promise.all(serving().map(({ questions }) => questions.ask(what, asked, answerMs)))
    },
    serves: () => serving().length > 0,
    end(workers) {
      for (const { number, process } of serving()) if (workers.includes(number)) process.process.kill('SIGKILL')
    },
    async close(how) {
      roster.become('closing')
      await Promise.all([...members.values()].map((member) => endOf(member, how)))
    },
  }
}
