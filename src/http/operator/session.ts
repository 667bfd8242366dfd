// The operations on the session of whoever asks: the console signs in with the token, and keeps a cookie in its place.
import { Problem } from '../../problem.ts'
import type { Actor, Deed } from '../../store/records.ts'
import type { BodySchema } from './check.ts'
import { base, type Operation } from './operation.ts'
import { shownSession } from './session-answer.ts'
import type { Session } from './sessions.ts'

const signInSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['token'],
  properties: {
    token: {
      type: 'string',
      writeOnly: true,
      description: "The operator's token, 1 to 512 letters.",
      minLength: 1,
      maxLength: 512,
    },
  },
} as const satisfies BodySchema

const begun = 'session.begin'
const ended = 'session.end'

const deedOf = (act: string, actor: Actor, at: number, details: Deed['details'] = {}): Deed => ({
  ...{ at, ...actor, act, target: null, outcome: 'done', details },
})

/** the door has seen to it that there is one */
function mine(session: Session | undefined): Session {
  if (!session) throw new Problem('session_missing')
  return session
}

const path = `${base}/session`
const tag = 'session'

export const sessionOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path, operationId: 'beginSession', tag, act: begun, opens: true },
    summary: 'Sign in',
    description:
      'Gives the browser the cookie of a session. It needs no token beside the one in the body, and a wrong one counts as everywhere. A session of the same browser ends.',
    ...{ body: signInSchema, bodyExample: { token: "(the operator's token)" }, status: 201, answer: 'Session' },
    refusals: ['member_invalid'],
    async run({ body, actor, session: before, tellBrowser }, parts) {
      const { audit, sessions, judge, now } = parts
      const holder = judge(String(body['token']), actor.from)
      const deeds = [deedOf(begun, { ...actor, who: holder.who }, now())]
      if (before) deeds.unshift(deedOf(ended, { ...actor, who: before.who }, now(), { reason: 'replaced' }))
      await audit.append(deeds)
      if (before) await sessions.end(before)
      const { secret, session } = await sessions.begin(holder)
      tellBrowser(secret)
      return shownSession(session, parts)
    },
  },
  {
    ...{ method: 'GET', path, operationId: 'getSession', tag, act: 'session.show' },
    ...{ ofSession: true, watches: true, withoutCsrf: true },
    summary: 'Who is signed in',
    description: 'The session of the cookie, with the csrf token that its other requests need.',
    ...{ status: 200, answer: 'Session', refusals: [] },
    run: async ({ session }, parts) => shownSession(mine(session), parts),
  },
  {
    ...{ method: 'DELETE', path, operationId: 'endSession', tag, act: ended, ofSession: true },
    summary: 'Sign out',
    description: 'Ends the session of the cookie, and takes the cookie away.',
    ...{ status: 200, answer: 'EndedSession', refusals: [] },
    async run({ session, actor, tellBrowser }, { audit, sessions, now }) {
      // also where no line can be written of it: whoever signs out must be out
      await sessions.end(mine(session))
      tellBrowser(undefined)
      await audit.append([deedOf(ended, actor, now())])
      return { ended: true }
    },
  },
]
