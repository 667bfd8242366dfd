// The doctor at work for the operator's door: one round at a time, and the latest is kept to be looked at.
import { Problem } from '../../problem.ts'
import { redact } from '../../redact.ts'
import { createFindings, type Kept, keptSchemas, type Told } from './findings.ts'
import { about, momentOrNull, object, text, textOrNull } from './schema.ts'

/** looks the installation over, as its settings are now */
export interface Doctor {
  /** connections of the settings as they are now; none where they cannot be read */
  ids(): readonly string[]
  /** Tells what is found as it is found. It rejects where it cannot go on, and soon once the signal is given. */
  examine(round: {
    /** only these connections; empty: all */
    readonly ids: readonly string[]
    readonly tell: (finding: Told) => void
    /** told what is looked at now */
    readonly begin: (title: string) => void
    readonly signal: AbortSignal
  }): Promise<void>
}

export interface Examination extends Kept {
  readonly state: 'never' | 'running' | 'done' | 'stopped' | 'failed'
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** who asked for it */
  readonly by: string | null
  /** null: all */
  readonly connections: readonly string[] | null
  /** what is looked at now */
  readonly now: string | null
}

export const examinationSchema = object({
  state: { ...text, enum: ['never', 'running', 'done', 'stopped', 'failed'] },
  startedAt: momentOrNull,
  endedAt: momentOrNull,
  by: about(textOrNull, 'Who asked for it, as in the audit.'),
  connections: { type: ['array', 'null'], items: text, description: 'null: all of them.' },
  now: about(textOrNull, 'What is looked at; null where none is under way.'),
  ...keptSchemas,
})

export interface Wish {
  /** empty: all */
  readonly ids: readonly string[]
  readonly by: string
  /** nothing is looked at before this is done, nor where it fails */
  readonly first: () => Promise<void>
}

export interface Examinations {
  latest(): Examination
  /** connections that the doctor knows of, whether or not the service serves them */
  ids(): readonly string[]
  /** rejects with a Problem while another one runs */
  start(wish: Wish): Promise<Examination>
  /** ends the one that runs; `first` as in a wish, and not called where none runs */
  stop(first: () => Promise<void>): Promise<Examination>
  /** the same for good */
  close(): Promise<void>
}

const never: Examination = {
  ...{ state: 'never', startedAt: null, endedAt: null, by: null, connections: null, now: null },
  ...createFindings().kept(),
}

interface Running {
  readonly end: AbortController
  readonly over: Promise<void>
  readonly shown: () => Examination
}

const cannotGoOn = (error: unknown): Told => ({
  ...{ id: 'examination', title: 'Examination', state: 'fail', says: 'It could not go on.' },
  ...{
    cause: redact((error as Error).message),
    cure: 'Start it again, or run `vitrine doctor` on the machine of the service.',
  },
})

function run(doctor: Doctor, { ids, by }: Wish, clock: () => number): Running {
  const end = new AbortController()
  const findings = createFindings()
  let standing: Pick<Examination, 'state' | 'endedAt' | 'now'> = { state: 'running', endedAt: null, now: null }
  const startedAt = clock()
  const settle = (state: Examination['state']) => void (standing = { state, endedAt: clock(), now: null })
  const tell = (finding: Told) => findings.tell(finding)
  const begin = (now: string) => void (standing = { ...standing, now })
  const over = doctor.examine({ ids, tell, begin, signal: end.signal }).then(
    () => settle('done'),
    (error: unknown) => {
      if (!end.signal.aborted) tell(cannotGoOn(error))
      settle(end.signal.aborted ? 'stopped' : 'failed')
    },
  )
  const connections = ids.length > 0 ? ids : null
  return { end, over, shown: () => ({ ...standing, startedAt, by, connections, ...findings.kept() }) }
}

export function createExaminations(doctor: Doctor, clock: () => number): Examinations {
  let last: Running | undefined
  let isStarting = false
  let isClosed = false
  const latest = () => last?.shown() ?? never
  const isRunning = () => latest().state === 'running'
  async function end(one: Running | undefined) {
    one?.end.abort(new Error('it was stopped'))
    await one?.over
  }
  return {
    latest,
    ids: () => doctor.ids(),
    async start(wish) {
      if (isStarting || isRunning()) throw new Problem('doctor_busy')
      isStarting = true
      try {
        await wish.first()
      } finally {
        isStarting = false
      }
      if (isClosed) throw new Problem('stopping')
      last = run(doctor, wish, clock)
      return latest()
    },
    async stop(first) {
      if (!isRunning()) return latest()
      // it may be over by then, and another one have begun that nobody meant
      const meant = last
      await first()
      await end(meant)
      return latest()
    },
    async close() {
      isClosed = true
      await end(last)
    },
  }
}
