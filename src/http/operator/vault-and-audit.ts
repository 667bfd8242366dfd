// The operations that only look: the state of the vault, and the audit.
import type { Deed } from '../../store/records.ts'
import { auditLine } from './answers.ts'
import { base, type Operation } from './operation.ts'
import { pageParameters, readPage } from './page.ts'

/** no control characters, no halves of letters */
const words = { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}]*$' } as const

const auditQuery = {
  ...pageParameters,
  act: { description: 'An act such as `keys.revoke`, or the first word of several, such as `keys`.', schema: words },
  target: { description: 'Id of what was acted on.', schema: words },
  who: { description: 'Who acted, such as `operator:1a2b3c4d`.', schema: words },
  outcome: {
    description: 'Whether it was done or denied.',
    schema: { type: 'string', minLength: 1, maxLength: 10, enum: ['done', 'denied'] },
  },
} as const

export const lookingOperations: readonly Operation[] = [
  {
    ...{ method: 'GET', path: `${base}/vault`, operationId: 'getVault', tag: 'vault' },
    summary: 'Which master key wraps how many credentials',
    description: 'A master key that wraps none can be taken away. Rotation itself is `vitrine vault rotate`.',
    ...{ act: 'vault.status', status: 200, answer: 'Vault', refusals: [] },
    run: (_, { rotation }) => rotation.status(),
  },
  {
    ...{ method: 'GET', path: `${base}/audit`, operationId: 'listAudit', tag: 'audit' },
    summary: 'The audit, newest first',
    description: 'Every act of management and every refusal of one, from this door and from the command line.',
    ...{ act: 'audit.list', query: auditQuery, status: 200, answer: 'AuditPage', refusals: [] },
    run: async ({ query }, { audit }) => {
      const { act, target, who } = query
      const outcome = query['outcome'] as Deed['outcome'] | undefined
      const { items, nextCursor } = await readPage(query, {
        name: 'audit',
        form: /^[1-9]\d{0,14}$/,
        read: ({ after, limit }) =>
          audit.page({ before: after === undefined ? undefined : Number(after), limit, act, target, who, outcome }),
        placeOf: ({ seq }) => String(seq),
      })
      return { items: items.map(auditLine), nextCursor }
    },
  },
]
