// An operator endpoint with a real OpenID Connect provider, and browsers that go back and forth between both.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { clientId, openTestProvider, type Person } from '../../../base/test/oidc.ts'
import type { Answer, ServiceOptions } from '../support/service.ts'
import { startManager, type Sending } from './manager.ts'
import { base } from './signed-in.ts'

/** not where the endpoint listens: the redirect URI is made of the configured address alone */
export const operatorUrl = 'http://localhost:4998'
export const way = `${base}/session/provider`
export const clientSecret = 'secret of the test-client'

export const oidcRoles = { viewer: ['staff'], keyManager: ['key-people'], administrator: ['admins', 'owners'] }

export const setCookies = ({ headers }: Answer): Map<string, string> =>
  new Map(
    [headers['set-cookie'] ?? []].flat().map((one) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      return [name, value]
    }),
  )

const joined = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** as a browser navigates from another site */
export const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }

export async function openProviderScene(t: TestContext, options: ServiceOptions = {}, oidc: object = {}) {
  const provider = await openTestProvider(t, { redirectUri: `${operatorUrl}${way}/callback`, clientSecret })
  const secrets = { ...options.secrets, oidcClientSecret: clientSecret }
  const settings = { issuer: provider.issuer, clientId, roles: oidcRoles, ...oidc }
  const manager = await startManager(t, { ...options, secrets, file: { ...options.file, operatorUrl, oidc: settings } })
  const { ask, port } = manager
  const open = { token: null, headers: navigation } satisfies Sending

  async function begin() {
    const answer = await ask('GET', way, open)
    assert.equal(answer.status, 302, answer.text)
    return { answer, url: new URL(String(answer.headers['location'])), cookie: joined(setCookies(answer)) }
  }

  const comeBack = (query: URLSearchParams | string, cookie: string, headers: Record<string, string> = {}) =>
    ask('GET', `${way}/callback?${String(query)}`, { token: null, headers: { ...navigation, cookie, ...headers } })

  async function visitProvider(person: Person) {
    provider.person = person
    const began = await begin()
    const back = new URL(await provider.walk(began.url.href))
    assert.equal(`${back.origin}${back.pathname}`, `${operatorUrl}${way}/callback`)
    return { ...began, back: back.searchParams }
  }

  return {
    manager,
    provider,
    begin,
    comeBack,
    visitProvider,
    async tryIn(person: Person) {
      const { back, cookie } = await visitProvider(person)
      return comeBack(back, cookie)
    },
    async signIn(person: Person) {
      const { back, cookie: attempt } = await visitProvider(person)
      const answer = await comeBack(back, attempt)
      assert.deepEqual([answer.status, answer.headers['location']], [303, '/'], answer.text)
      const name = `vitrine_session_${port}`
      const cookie = `${name}=${setCookies(answer).get(name)}`
      const { json: session } = await ask('GET', '/session', { token: null, headers: { cookie } })
      return {
        answer,
        cookie,
        session,
        ask: (method: string, path: string, sending: Sending = {}) =>
          ask(method, path, { token: null, headers: { cookie, 'x-vitrine-csrf': session.csrf }, ...sending }),
      }
    },
  }
}

export const ann = { sub: '1', email: 'ann@example.org', groups: ['staff'] }
export const kim = { sub: '2', email: 'kim@example.org', groups: ['staff', 'key-people'] }
export const ada = { sub: '3', email: 'ada@example.org', groups: ['owners'] }
