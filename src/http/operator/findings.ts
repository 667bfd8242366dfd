// What an examination has found: counted always, kept as long as there is room. What is ill is kept before what is well.
import { about, listOf, object, type Schema, text, textOrNull, whole } from './schema.ts'

const states = ['ok', 'warn', 'fail', 'skip'] as const
type State = (typeof states)[number]

export interface Told {
  /** of the check */
  readonly id: string
  /** its name for people */
  readonly title: string
  readonly connection?: string | undefined
  readonly state: State
  readonly says: string
  readonly cause?: string | undefined
  readonly cure?: string | undefined
  readonly tookMs?: number | undefined
}

/** the same with null for what is not there */
interface Finding extends Pick<Told, 'id' | 'title' | 'state' | 'says'> {
  readonly connection: string | null
  readonly cause: string | null
  readonly cure: string | null
  readonly tookMs: number | null
}

export interface Kept {
  readonly counts: Readonly<Record<State, number>>
  /** of those that were counted, how many are not among the findings */
  readonly leftOut: number
  readonly findings: readonly Finding[]
}

/** some 80 connections that are well; above that, those of connections are counted only */
const mostQuiet = 1_000
/** 3 MB of an answer */
const mostIll = 10_000

const isQuiet = ({ connection, state }: Finding): boolean => connection !== null && (state === 'ok' || state === 'skip')

const findingOf = ({ id, title, connection, state, says, cause, cure, tookMs }: Told): Finding => ({
  ...{ id, title, connection: connection ?? null, state, says },
  ...{ cause: cause ?? null, cure: cure ?? null, tookMs: tookMs ?? null },
})

export function createFindings() {
  const counts = { ok: 0, warn: 0, fail: 0, skip: 0 }
  let kept: Finding[] = []
  let [quiet, ill] = [0, 0]
  let isFull = false
  return {
    tell(told: Told) {
      const finding = findingOf(told)
      counts[finding.state]++
      if (!isQuiet(finding)) {
        if (++ill <= mostIll) kept.push(finding)
        return
      }
      if (++quiet <= mostQuiet) kept.push(finding)
      // all or none: a few of many would look like all of them
      else if (!isFull) kept = kept.filter((one) => !isQuiet(one))
      isFull = quiet > mostQuiet
    },
    kept(): Kept {
      const total = states.reduce((sum, state) => sum + counts[state], 0)
      // several connections are looked at at once: each is shown in one piece
      const findings = [...Map.groupBy(kept, ({ connection }) => connection).values()].flat()
      return { counts: { ...counts }, leftOut: total - kept.length, findings }
    },
  }
}

const finding: Schema = object({
  id: about(text, 'Of the check, such as `store`, or `group:apps` for a group of routes.'),
  title: about(text, 'Of the check, for people.'),
  connection: about(textOrNull, 'null: of the installation.'),
  state: { ...text, enum: states },
  says: about(text, 'What is so.'),
  cause: about(textOrNull, 'Why it is so.'),
  cure: about(textOrNull, 'What to do about it.'),
  tookMs: { type: ['integer', 'null'], description: 'null: it was not tried.' },
})

export const keptSchemas: Readonly<Record<keyof Kept, Schema>> = {
  counts: about(object({ ok: whole, warn: whole, fail: whole, skip: whole }), 'Of all findings.'),
  leftOut: about(
    whole,
    'How many were counted and are not listed: above 1,000 that are `ok` or `skip` none of connections is, and above 10,000 others no more.',
  ),
  findings: listOf(finding),
}
