// Checks the input for a new facade key, for the operator endpoint and the command line.
import { groups } from '../catalogue/define.ts'
import type { KeyInput } from '../keys/keys.ts'
import type { Body } from '../../../base/web/body.ts'
import { type BodyOf, bodySchema, checkBody, unknownName } from '../../../base/operations/check.ts'
import { readMoment } from '../../../base/core/moment.ts'

/** one line: no control characters, no unpaired surrogates, not blank */
const line = '^[^\\p{Cc}\\p{Cs}]*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$'

/** a key that nobody remembers ends */
const defaultLife = '90d'

export const keyWishSchema = bodySchema(['name', 'connections'], {
  name: {
    type: 'string',
    description: 'What the key is for, in 1 to 100 characters on one line.',
    minLength: 1,
    maxLength: 100,
    pattern: line,
  },
  connections: {
    type: 'array',
    description:
      'What it may read: 1 to 1,000 different ids of connections, or `*` for all, later ones included. An id is bound to the connection that has it now: to no other that is given the id later.',
    items: { type: 'string', minLength: 1, maxLength: 64 },
    minItems: 1,
    maxItems: 1_000,
    uniqueItems: true,
  },
  groups: {
    type: 'array',
    description: 'Route groups that it may read, each once; absent: all of this version.',
    items: { type: 'string', enum: groups },
    minItems: 1,
    maxItems: groups.length,
    uniqueItems: true,
  },
  apps: {
    type: 'array',
    description:
      'Ids of the apps that it is for, 1 to 100: everything else answers as if it were not there; absent: all apps.',
    items: { type: 'string', minLength: 1, maxLength: 40, pattern: '^[\\w-]+$' },
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
  },
  expires: {
    type: 'string',
    description:
      'When it ends: a time such as `90d`, `12h` or `30m`, a date such as `2027-01-31`, or `never`; absent: `90d`.',
    maxLength: 40,
    default: defaultLife,
  },
  personal: {
    type: 'boolean',
    description: 'Whether it is shown personal data: the fields that the reference marks so. Absent: it is not.',
    default: false,
  },
  perMinute: {
    type: 'integer',
    description:
      "Its own rate in requests a minute, 0 to 1,000,000, where 0 means no limit; absent: the service's rate.",
    minimum: 0,
    maximum: 1_000_000,
  },
  platformCallsPerHour: {
    type: 'integer',
    description:
      'Its own budget of platform calls an hour, 1 to 1,000,000; absent: none. Cached answers cost nothing of it.',
    minimum: 1,
    maximum: 1_000_000,
  },
  note: {
    type: 'string',
    description: 'For operators only, in 1 to 500 characters on one line.',
    minLength: 1,
    maxLength: 500,
    pattern: line,
  },
})

/** null: never */
export const readExpiry = (text: string, now: number): number | null =>
  text === 'never' ? null : readMoment('expires', text, now)

/** `known`: the ids of all connections. Throws a Problem about the first member that is wrong. */
export function readKeyWish(raw: object, known: readonly string[], now: number): KeyInput {
  checkBody(keyWishSchema, raw as Body)
  const { groups: granted, expires = defaultLife, ...wish } = raw as BodyOf<typeof keyWishSchema>
  const choices = ['*', ...known]
  const stranger = wish.connections.find((id) => !choices.includes(id))
  if (stranger !== undefined) throw unknownName('connections', stranger, choices)
  return {
    ...wish,
    groups: granted,
    expiresAt: readExpiry(expires, now) ?? undefined,
  }
}
