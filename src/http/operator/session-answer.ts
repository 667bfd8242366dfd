// A session of the console as it is shown, and the schema of that.
import { isoOf } from '../moment.ts'
import { about, moment, object, text, whole } from './schema.ts'
import type { Session, Sessions } from './sessions.ts'

interface Shown {
  readonly sessions: Pick<Sessions, 'idleMs'>
  readonly service: { readonly version: string }
}

export const shownSession = ({ who, csrf, startedAt, endsAt }: Session, { sessions, service }: Shown) => ({
  ...{ who, csrf, startedAt: isoOf(startedAt), endsAt: isoOf(endsAt) },
  ...{ idleSec: sessions.idleMs / 1_000, service: { version: service.version } },
})

export const sessionSchema = object({
  who: about(text, '`operator:` and the beginning of the hash of the token, as in the audit.'),
  csrf: about(text, 'Sent as `X-Vitrine-Csrf` with every request that the cookie lets in.'),
  startedAt: moment,
  endsAt: about(moment, 'At the latest.'),
  idleSec: about(whole, 'How long it may be idle before it ends.'),
  service: object({ version: text }),
})
