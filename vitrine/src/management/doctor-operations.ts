// The operations of the doctor: start, follow and stop a check of the installation.
import type { Actor, AuditEntry } from '../../../base/core/audit.ts'
import { bodySchema, unknownName } from '../../../base/operations/check.ts'
import { base, define, type ManagementOperation, type ManagementParts } from './operation.ts'

const path = `${base}/doctor`
const tag = 'doctor'

const examineSchema = bodySchema([], {
  connections: {
    type: 'array',
    description: 'Only these: 1 to 1,000 different ids of connections; absent: all.',
    items: { type: 'string', minLength: 1, maxLength: 64 },
    minItems: 1,
    maxItems: 1_000,
    uniqueItems: true,
  },
})

/** connections of the settings are known too, even if the service could not open them */
async function requireKnown(ids: readonly string[], { connections, examinations }: ManagementParts) {
  if (ids.length === 0) return
  const known = [...new Set([...(await connections.ids()), ...examinations.ids()])].sort()
  const there = new Set(known)
  for (const id of ids) if (!there.has(id)) throw unknownName('connections', id, known)
}

/** the audit line; its target is the connection, if there is only one */
const recorded = ({ audit, now }: ManagementParts, actor: Actor, act: string, ids: readonly string[] | null) => {
  const target = ids?.length === 1 ? (ids[0] ?? null) : null
  const entry: AuditEntry = {
    at: now(),
    ...actor,
    act,
    target,
    outcome: 'done',
    details: { connections: ids ?? ['*'] },
  }
  return () => audit.append([entry])
}

export const doctorOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path,
    operationId: 'getExamination',
    tag,
    summary: 'The latest examination, or the one under way',
    description:
      'The findings so far; `now` is the current check. Kept in this process: after a start of the service there is none.',
    act: 'doctor.show',
    answer: 'Examination',
    isPolling: true,
    run: async (_, { examinations }) => examinations.latest(),
  }),
  define({
    method: 'POST',
    path,
    operationId: 'startExamination',
    tag,
    summary: 'Check the installation',
    description:
      'As `vitrine doctor` does, with the settings that are in the file now. It changes nothing. One at a time. Costs one platform call, and about one for each connection and group of routes.',
    act: 'doctor.examine',
    body: examineSchema,
    bodyExample: { connections: ['studio'] },
    status: 201,
    answer: 'Examination',
    refusals: ['member_invalid', 'doctor_busy', 'stopping'],
    run: async ({ body, actor }, parts) => {
      const { connections: ids = [] } = body
      await requireKnown(ids, parts)
      const first = recorded(parts, actor, 'doctor.examine', ids.length > 0 ? ids : null)
      return parts.examinations.start({ ids, by: actor.who, first })
    },
  }),
  define({
    method: 'DELETE',
    path,
    operationId: 'stopExamination',
    tag,
    summary: 'Stop the examination under way',
    description: 'The findings so far stay. If none is under way, nothing changes.',
    act: 'doctor.stop',
    answer: 'Examination',
    run: async ({ actor }, parts) => {
      const { examinations } = parts
      const first = recorded(parts, actor, 'doctor.stop', examinations.latest().connections)
      return examinations.stop(first)
    },
  }),
]
