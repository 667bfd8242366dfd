// The operations on the caller's own session: the console signs in with the operator token and gets a cookie.
import { Problem } from '../problems.ts'
import type { Actor, AuditEntry } from '../../../base/core/audit.ts'
import { bodySchema } from '../../../base/operations/check.ts'
import { base, define, type ManagementOperation, type ManagementParts } from './operation.ts'
import { described } from '../../../base/operations/schema.ts'
import { answerSchemas } from './answer-schemas.ts'
import { isoOf } from '../../../base/core/moment.ts'
import { roleOf } from './roles.ts'
import type { Session } from '../../../base/auth/sessions.ts'

const signInSchema = bodySchema(['token'], {
  token: {
    type: 'string',
    writeOnly: true,
    description: 'The operator token, 1 to 512 letters.',
    minLength: 1,
    maxLength: 512,
  },
})

/** the longest token is smaller, even escaped letter by letter */
const mostSignInBytes = 4 * 1024

export const begun = 'session.begin'
const ended = 'session.end'

export const entryOf = (act: string, actor: Actor, at: number, details: AuditEntry['details'] = {}): AuditEntry => ({
  at,
  ...actor,
  act,
  target: null,
  outcome: 'done',
  details,
})

function mine(session: Session | undefined): Session {
  if (!session) throw new Problem('session_missing')
  return session
}

const shownSession = (session: Session, { sessions, operationsOf, service: { version, publicUrl } }: ManagementParts) =>
  described(answerSchemas.Session, {
    ...session,
    startedAt: isoOf(session.startedAt),
    endsAt: isoOf(session.endsAt),
    role: roleOf(session),
    operations: operationsOf(roleOf(session)),
    idleSec: sessions.idleMs / 1_000,
    service: { version, publicUrl: publicUrl() },
  })

const path = `${base}/session`
const tag = 'session'

export const sessionOperations: readonly ManagementOperation[] = [
  define({
    method: 'POST',
    path,
    operationId: 'beginSession',
    tag,
    act: begun,
    credentials: [],
    mostBytes: mostSignInBytes,
    setsCookie: true,
    summary: 'Sign in',
    description:
      'Sets the cookie of a session. The token in the body is enough, and a wrong one counts as a failure, as elsewhere. An earlier session of the same browser ends.',
    body: signInSchema,
    bodyExample: { token: "(the operator's token)" },
    status: 201,
    answer: 'Session',
    refusals: ['member_invalid'],
    async run({ body, actor, session: before, setCookie }, parts) {
      const { audit, sessions, recogniseToken: judge, now } = parts
      const holder = judge(body.token, actor.from)
      const entries = [entryOf(begun, { ...actor, who: holder.who }, now())]
      if (before) entries.unshift(entryOf(ended, { ...actor, who: before.who }, now(), { reason: 'replaced' }))
      await audit.append(entries)
      if (before) await sessions.end(before)
      const { secret, session } = await sessions.begin(holder)
      setCookie(secret)
      return shownSession(session, parts)
    },
  }),
  define({
    method: 'GET',
    path,
    operationId: 'getSession',
    tag,
    act: 'session.show',
    credentials: ['session'],
    isPolling: true,
    withoutCsrf: true,
    summary: 'Who is signed in',
    description: 'The session of the cookie, with the CSRF token that its other requests need.',
    answer: 'Session',
    run: async ({ session }, parts) => shownSession(mine(session), parts),
  }),
  define({
    method: 'DELETE',
    path,
    operationId: 'endSession',
    tag,
    act: ended,
    credentials: ['session'],
    setsCookie: true,
    summary: 'Sign out',
    description: 'Ends the session of the cookie, and deletes the cookie.',
    answer: 'EndedSession',
    async run({ session, actor, setCookie }, { audit, sessions, now }) {
      // before the audit line: signing out works even if the line cannot be written
      await sessions.end(mine(session))
      setCookie(undefined)
      await audit.append([entryOf(ended, actor, now())])
      return { ended: true }
    },
  }),
]
