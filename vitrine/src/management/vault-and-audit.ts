// The operations on the state of the vault and on the audit log.
import { Problem } from '../problems.ts'
import type { AuditEntry } from '../../../base/core/audit.ts'
import { readTimeOf } from '../../../base/core/moment.ts'
import { auditBeginning, auditLine } from './shown.ts'
import { base, define, type ManagementOperation } from './operation.ts'
import { pageParameters, readPage } from '../../../base/operations/page.ts'
import type { Query } from '../../../base/operations/query.ts'

/** no control characters, no unpaired surrogates */
const words = { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}]*$' } as const

const when = { type: 'string', minLength: 1, maxLength: 40 } as const
const momentForm =
  'a time such as `24h`, `30m` or `7d`, which means ago, or a date such as `2027-01-31` or `2027-01-31T12:00Z`.'

const auditQuery = {
  ...pageParameters,
  act: { description: 'An act such as `keys.revoke`, or the first word of several, such as `keys`.', schema: words },
  without: {
    description: 'An act, or the first word of several, whose lines are left out, such as `read`.',
    schema: words,
  },
  target: { description: 'Id of what was acted on.', schema: words },
  who: { description: 'Who acted, such as `operator:1a2b3c4d` or `oidc:ann@example.org`.', schema: words },
  outcome: {
    description: 'Whether it was done or denied.',
    schema: { type: 'string', minLength: 1, maxLength: 10, enum: ['done', 'denied'] },
  },
  since: { description: `Only lines from this moment on: ${momentForm}`, schema: when },
  until: { description: `Only lines before this moment: ${momentForm}`, schema: when },
} as const

function readWhen(name: 'since' | 'until', { [name]: text }: Query, now: number): number | undefined {
  const at = text === undefined ? undefined : readTimeOf(text, now)
  if (text === undefined || at !== undefined) return at
  const wanted = auditQuery[name].description.replaceAll('`', '')
  throw new Problem('value_not_allowed', { param: name, message: `"${name}" is not usable. ${wanted}` })
}

function readWindow(query: Query, now: number) {
  const [since, until] = [readWhen('since', query, now), readWhen('until', query, now)]
  if (since === undefined || until === undefined || since < until) return { since, until }
  throw new Problem('value_not_allowed', { param: 'since', message: '"since" is not before "until".' })
}

export const vaultAndAuditOperations: readonly ManagementOperation[] = [
  define({
    method: 'GET',
    path: `${base}/vault`,
    operationId: 'getVault',
    tag: 'vault',
    summary: 'How many credentials each master key encrypts',
    description: 'A master key that encrypts none can be removed. To rotate, run `vitrine vault rotate`.',
    act: 'vault.status',
    answer: 'Vault',
    run: (_, { rotation }) => rotation.status(),
  }),
  define({
    method: 'GET',
    path: `${base}/audit`,
    operationId: 'listAudit',
    tag: 'audit',
    summary: 'The audit log, newest first',
    description:
      'Every act of management and every refused one, at this endpoint and at the command line. Old lines may have been pruned: see `begins`.',
    act: 'audit.list',
    query: auditQuery,
    answer: 'AuditPage',
    run: async ({ query }, { audit, now }) => {
      const window = readWindow(query, now())
      const { act, without, target, who } = query
      const outcome = query['outcome'] as AuditEntry['outcome'] | undefined
      const { items, nextCursor } = await readPage(query, {
        name: 'audit',
        form: /^[1-9]\d{0,14}$/,
        read: ({ after, limit }) =>
          audit.page({
            before: after === undefined ? undefined : Number(after),
            limit,
            act,
            without,
            target,
            who,
            outcome,
            ...window,
          }),
        placeOf: ({ seq }) => String(seq),
      })
      const anchor = await audit.anchor()
      return { items: items.map(auditLine), nextCursor, begins: anchor ? auditBeginning(anchor) : null }
    },
  }),
]
