// The operations that only look: the state of the vault, and the audit.
import type { Deed } from '../../store/records.ts'
import { Problem } from '../../problem.ts'
import { readTimeOf } from '../moment.ts'
import { auditBeginning, auditLine } from './shown.ts'
import { base, type Operation } from './operation.ts'
import { pageParameters, readPage } from './page.ts'
import type { Query } from './query.ts'

/** no control characters, no halves of letters */
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
  who: { description: 'Who acted, such as `operator:1a2b3c4d`.', schema: words },
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
    description:
      'Every act of management and every refusal of one, from this door and from the command line. Old lines may have been pruned: `begins` says so.',
    ...{ act: 'audit.list', query: auditQuery, status: 200, answer: 'AuditPage', refusals: [] },
    run: async ({ query }, { audit, now }) => {
      const window = readWindow(query, now())
      const { act, without, target, who } = query
      const outcome = query['outcome'] as Deed['outcome'] | undefined
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
  },
]
