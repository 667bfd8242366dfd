// The operations of the doctor: a look at the whole installation, asked for and followed from here.
import type { Actor, Deed } from '../../store/records.ts'
import { isoOf } from '../moment.ts'
import { type BodySchema, unknownName } from './check.ts'
import type { Examination } from './examination.ts'
import { base, type Operation, type Parts } from './operation.ts'

const path = `${base}/doctor`
const tag = 'doctor'

const examineSchema = {
  type: 'object',
  additionalProperties: false,
  required: [],
  properties: {
    connections: {
      type: 'array',
      description: 'Only these: 1 to 1,000 different ids of connections; absent: all.',
      items: { type: 'string', minLength: 1, maxLength: 64 },
      minItems: 1,
      maxItems: 1_000,
      uniqueItems: true,
    },
  },
} as const satisfies BodySchema

const shownExamination = ({ startedAt, endedAt, ...rest }: Examination) => ({
  ...{ state: rest.state, startedAt: isoOf(startedAt), endedAt: isoOf(endedAt), by: rest.by },
  ...{ connections: rest.connections, now: rest.now },
  ...{ counts: rest.counts, leftOut: rest.leftOut, findings: rest.findings },
})

/** what the settings name may be looked at, also where the service could not begin to serve it */
async function requireKnown(ids: readonly string[], { connections, examinations }: Parts) {
  if (ids.length === 0) return
  const known = [...new Set([...(await connections.ids()), ...examinations.ids()])].sort()
  const there = new Set(known)
  for (const id of ids) if (!there.has(id)) throw unknownName('connections', id, known)
}

/** a line of the audit: of one connection where one alone is meant */
const recorded = ({ audit, now }: Parts, actor: Actor, act: string, ids: readonly string[] | null) => {
  const target = ids?.length === 1 ? (ids[0] ?? null) : null
  const deed: Deed = { at: now(), ...actor, act, target, outcome: 'done', details: { connections: ids ?? ['*'] } }
  return () => audit.append([deed])
}

export const doctorOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path, operationId: 'getExamination', tag },
    summary: 'The latest examination, or the one under way',
    description:
      'The findings so far; `now` is what is looked at. Kept in this process: after a start of the service there is none yet.',
    ...{ act: 'doctor.show', status: 200, answer: 'Examination', refusals: [], watches: true },
    run: async (_, { examinations }) => shownExamination(examinations.latest()),
  },
  {
    ...{ method: 'POST', path, operationId: 'startExamination', tag },
    summary: 'Let the doctor look the installation over',
    description:
      'As `vitrine doctor` does, with the settings as they are in the file now; nothing is changed by it. One at a time. Costs one call of the platform, and about one for each connection and group of routes.',
    ...{ act: 'doctor.examine', body: examineSchema, bodyExample: { connections: ['studio'] }, status: 201 },
    ...{ answer: 'Examination', refusals: ['member_invalid', 'doctor_busy', 'stopping'] },
    run: async ({ body, actor }, parts) => {
      const { connections: ids = [] } = body as { connections?: readonly string[] }
      await requireKnown(ids, parts)
      const first = recorded(parts, actor, 'doctor.examine', ids.length > 0 ? ids : null)
      return shownExamination(await parts.examinations.start({ ids, by: actor.who, first }))
    },
  },
  {
    ...{ method: 'DELETE', path, operationId: 'stopExamination', tag },
    summary: 'Stop the examination under way',
    description: 'What was found so far stays. Where none is under way, nothing changes.',
    ...{ act: 'doctor.stop', status: 200, answer: 'Examination', refusals: [] },
    run: async ({ actor }, parts) => {
      const { examinations } = parts
      const first = recorded(parts, actor, 'doctor.stop', examinations.latest().connections)
      return shownExamination(await examinations.stop(first))
    },
  },
]
