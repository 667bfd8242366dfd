// Runs the doctor for the operator endpoint, one examination at a time, and keeps the latest.
import { Problem } from '../problems.ts'
import { redact } from '../../../base/core/redact.ts'
import { createFindings, type examinationSchema, type FindingInput } from './findings.ts'
import { isoOf } from '../../../base/core/moment.ts'
import type { AnswerOf } from '../../../base/operations/schema.ts'

export interface Doctor {
  /** connections of the current settings; none if these cannot be read */
  ids(): readonly string[]
  /** reports findings as they come; rejects if it cannot go on, and soon after the signal is aborted */
  examine(round: {
    /** only these connections; empty: all */
    readonly ids: readonly string[]
    readonly tell: (finding: FindingInput) => void
    readonly begin: (title: string) => void
    readonly signal: AbortSignal
  }): Promise<void>
}

export type Examination = AnswerOf<typeof examinationSchema>

export interface ExaminationOptions {
  /** empty: all */
  readonly ids: readonly string[]
  readonly by: string
  /** called before the first check, which does not start if this fails */
  readonly first: () => Promise<void>
}

export type Examinations = ReturnType<typeof createExaminations>

const never: Examination = {
  state: 'never',
  startedAt: null,
  endedAt: null,
  by: null,
  connections: null,
  now: null,
  ...createFindings().kept(),
}

interface Running {
  readonly end: AbortController
  readonly over: Promise<void>
  readonly shown: () => Examination
}

const cannotGoOn = (error: unknown): FindingInput => ({
  id: 'examination',
  title: 'Examination',
  state: 'fail',
  says: 'It could not go on.',
  cause: redact((error as Error).message),
  cure: 'Start it again, or run `vitrine doctor` on the machine of the service.',
})

function run(doctor: Doctor, { ids, by }: ExaminationOptions, clock: () => number): Running {
  const end = new AbortController()
  const findings = createFindings()
  let progress: Pick<Examination, 'state' | 'endedAt' | 'now'> = { state: 'running', endedAt: null, now: null }
  const startedAt = isoOf(clock())
  const settle = (state: Examination['state']) => void (progress = { state, endedAt: isoOf(clock()), now: null })
  const tell = (finding: FindingInput) => findings.add(finding)
  const begin = (now: string) => void (progress = { ...progress, now })
  const over = doctor.examine({ ids, tell, begin, signal: end.signal }).then(
    () => settle('done'),
    (error: unknown) => {
      if (!end.signal.aborted) tell(cannotGoOn(error))
      settle(end.signal.aborted ? 'stopped' : 'failed')
    },
  )
  const connections = ids.length > 0 ? ids : null
  return { end, over, shown: () => ({ ...progress, startedAt, by, connections, ...findings.kept() }) }
}

export function createExaminations(doctor: Doctor, clock: () => number) {
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
    /** connections of the settings, served or not */
    ids: () => doctor.ids(),
    /** rejects with a Problem while another one runs */
    async start(wish: ExaminationOptions) {
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
    /** stops the running one; `first` is called before that, if one runs */
    async stop(first: () => Promise<void>) {
      if (!isRunning()) return latest()
      // another one may have started by then
      const meant = last
      await first()
      await end(meant)
      return latest()
    },
    /** stops the running one, and starts no other */
    async close() {
      isClosed = true
      await end(last)
    },
  }
}
