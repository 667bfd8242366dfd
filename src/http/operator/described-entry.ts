// How an operation is entered, as the description says it: by the token, or by the session of the console.
import type { ProblemCode } from '../../problem.ts'
import type { Operation } from './operation.ts'

export const securitySchemes = {
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'What `VITRINE_OPERATOR_TOKEN` or a line of the file of `operatorTokenFile` holds.',
  },
  session: {
    ...{ type: 'apiKey', in: 'cookie', name: 'vitrine_session' },
    description:
      'The cookie of the console. Behind its name stands the port, where there is one, as in `vitrine_session_8081`; over https it begins with `__Secure-`.',
  },
  csrf: {
    ...{ type: 'apiKey', in: 'header', name: 'X-Vitrine-Csrf' },
    description: '`csrf` of the session. Beside the cookie, all operations need it that do not say otherwise.',
  },
}

const bearer = { operatorToken: [] }
export const anyWay = [bearer, { session: [], csrf: [] }]

/** absent where any way does */
export function securityOf({ opens, ofSession, withoutCsrf }: Operation): object {
  if (opens) return { security: [] }
  if (!ofSession && !withoutCsrf) return {}
  const cookie = { session: [], ...(!withoutCsrf && { csrf: [] }) }
  return { security: ofSession ? [cookie] : [bearer, cookie] }
}

/** what is refused before it is looked at */
export function entryCodesOf({ opens, ofSession, withoutCsrf }: Operation): ProblemCode[] {
  const always = ['operator_token_invalid', 'operator_locked_out', 'origin_not_allowed'] as const
  if (opens) return [...always]
  const missing = ofSession ? 'session_missing' : 'operator_token_missing'
  return [missing, ...always, 'session_ended', 'session_unknown', ...(withoutCsrf ? [] : (['csrf_missing'] as const))]
}
