// The findings of an examination: all are counted, and problems are kept before successes when there are many.
import {
  about,
  type AnswerOf,
  type AnswerSchema,
  integerOrNull,
  listOf,
  momentOrNull,
  object,
  oneOf,
  text,
  textOrNull,
  whole,
} from '../../../base/operations/schema.ts'

const states = ['ok', 'warn', 'fail', 'skip'] as const
type State = (typeof states)[number]

export interface FindingInput {
  readonly id: string
  readonly title: string
  readonly connection?: string | undefined
  readonly state: State
  readonly says: string
  readonly cause?: string | undefined
  readonly cure?: string | undefined
  readonly tookMs?: number | undefined
}

const finding = object({
  id: about(text, 'Id of the check, such as `store`, or `group:apps` for a group of routes.'),
  title: about(text, 'Name of the check, for people.'),
  connection: about(textOrNull, 'null: a check of the installation.'),
  state: oneOf(states),
  says: about(text, 'What was found.'),
  cause: about(textOrNull, 'The cause of the problem.'),
  cure: about(textOrNull, 'How to fix it.'),
  tookMs: about(integerOrNull, 'null: it did not run.'),
})

const summary = {
  counts: about(object({ ok: whole, warn: whole, fail: whole, skip: whole }), 'Of all findings.'),
  leftOut: about(
    whole,
    'How many were counted but are not listed: if more than 1,000 of connections are `ok` or `skip`, none of these is listed; of all others, at most 10,000 are.',
  ),
  findings: listOf(finding),
}

const idsOrNull: AnswerSchema<readonly string[] | null> = { type: ['array', 'null'], items: text }

export const examinationSchema = object({
  state: oneOf(['never', 'running', 'done', 'stopped', 'failed']),
  startedAt: momentOrNull,
  endedAt: momentOrNull,
  by: about(textOrNull, 'Who started it, as in the audit log.'),
  connections: about(idsOrNull, 'null: all of them.'),
  now: about(textOrNull, 'The current check; null while none is under way.'),
  ...summary,
})

type Finding = AnswerOf<typeof finding>

/** successes of connections, about 80 of them; above that they are only counted */
const mostQuiet = 1_000
/** 3 MB of JSON */
const mostProblems = 10_000

const isQuiet = ({ connection, state }: Finding): boolean => connection !== null && (state === 'ok' || state === 'skip')

const findingOf = ({ id, title, connection, state, says, cause, cure, tookMs }: FindingInput): Finding => ({
  id,
  title,
  connection: connection ?? null,
  state,
  says,
  cause: cause ?? null,
  cure: cure ?? null,
  tookMs: tookMs ?? null,
})

export function createFindings() {
  const counts = { ok: 0, warn: 0, fail: 0, skip: 0 }
  let kept: Finding[] = []
  let [quiet, problems] = [0, 0]
  let isFull = false
  return {
    add(input: FindingInput) {
      const finding = findingOf(input)
      counts[finding.state]++
      if (!isQuiet(finding)) {
        if (++problems <= mostProblems) kept.push(finding)
        return
      }
      if (++quiet <= mostQuiet) kept.push(finding)
      // all or none: some of many would look like all
      else if (!isFull) kept = kept.filter((one) => !isQuiet(one))
      isFull = quiet > mostQuiet
    },
    kept() {
      const total = states.reduce((sum, state) => sum + counts[state], 0)
      // connections are checked in parallel: group the findings by connection
      const findings = [...Map.groupBy(kept, ({ connection }) => connection).values()].flat()
      return { counts: { ...counts }, leftOut: total - kept.length, findings }
    },
  }
}
