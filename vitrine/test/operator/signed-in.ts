// A browser that is signed in at the operator endpoint: its cookie and CSRF token.
import assert from 'node:assert/strict'
import type { Answer } from '../support/service.ts'
import { type Manager, type Sending, token } from './manager.ts'

export const base = '/operator/v1'
export const session = `${base}/session`
/** an invalid token */
export const wrong = 'some-other-token-of-mine'

export interface SignedIn {
  /** name and value, as a browser sends it */
  readonly cookie: string
  readonly secret: string
  readonly csrf: string
  readonly answer: Answer
  /** below the operations, with cookie and csrf token, unless `sending` has others */
  ask(method: string, path: string, sending?: Sending): Promise<Answer>
}

type Endpoint = Pick<Manager, 'ask'>

/** the cookie of an answer, without its attributes */
export function cookieOf({ headers }: Answer): string {
  const [field = '', ...more] = headers['set-cookie'] ?? assert.fail('no cookie is set')
  assert.deepEqual(more, [])
  return field.split(';', 1)[0] ?? ''
}

export const trySignIn = ({ ask }: Endpoint, given: unknown = token, headers: Record<string, string> = {}) =>
  ask('POST', session, { token: null, body: { token: given }, headers })

export async function signIn(
  endpoint: Endpoint,
  headers: Record<string, string> = {},
  given = token,
): Promise<SignedIn> {
  const answer = await trySignIn(endpoint, given, headers)
  assert.equal(answer.status, 201, answer.text)
  const cookie = cookieOf(answer)
  const { csrf } = answer.json
  return {
    cookie,
    csrf,
    answer,
    secret: cookie.slice(cookie.indexOf('=') + 1),
    ask: (method, path, sending = {}) =>
      endpoint.ask(method, path.startsWith(base) ? path : `${base}${path}`, {
        token: null,
        ...sending,
        headers: { cookie, 'x-vitrine-csrf': csrf, ...headers, ...sending.headers },
      }),
  }
}

/** status, and the code of a refusal */
export const codeOf = ({ status, json }: Pick<Answer, 'status' | 'json'>): string =>
  `${status} ${json?.error?.code ?? 'ok'}`

/** a clock that the test moves */
export function clock() {
  let shift = 0
  return { now: () => Date.now() + shift, later: (ms: number) => void (shift += ms) }
}
