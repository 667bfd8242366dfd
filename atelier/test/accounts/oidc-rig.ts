// The service with a real OpenID Connect provider, and a browser that goes back and forth between both.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { clientId, openTestProvider, type TestProviderOptions } from '../../../base/test/oidc.ts'
import { type Called, openRig, type RigOptions } from '../service-rig.ts'

/** not where the service listens: the redirect URI is made of the configured address alone */
export const publicUrl = 'http://localhost:4999'
export const clientSecret = 'secret of a test-client'
export const callback = '/auth/oidc/callback'

export interface OidcRigOptions extends Pick<RigOptions, 'now' | 'store' | 'settings'> {
  readonly oidc?: Record<string, unknown>
  readonly provider?: Partial<TestProviderOptions>
}

export const cookiesOf = ({ headers }: Called): Record<string, string> =>
  Object.fromEntries(
    ((headers['set-cookie'] ?? []) as string[]).map(
      (one) => /^([^=]+)=([^;]*)/.exec(one)?.slice(1, 3) as [string, string],
    ),
  )

export async function openOidcRig(
  t: TestContext,
  { oidc = {}, provider: asked = {}, settings: more = {}, ...options }: OidcRigOptions = {},
) {
  const redirectUri = `${publicUrl}${callback}`
  const provider = await openTestProvider(t, { redirectUri, clientSecret, ...asked })
  const folder = mkdtempSync(join(tmpdir(), 'atelier-oidc-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clientSecretFile = join(folder, 'secret')
  writeFileSync(clientSecretFile, `${clientSecret}\n`, { mode: 0o600 })
  const settings = { publicUrl, oidc: { issuer: provider.issuer, clientId, clientSecretFile, ...oidc }, ...more }
  const rig = await openRig(t, { ...options, settings })

  async function begin(next?: string, headers: Record<string, string> = {}) {
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
    const answer = await rig.call('GET', `/auth/oidc${query}`, { headers })
    assert.equal(answer.status, 302, answer.text)
    const url = new URL(String(answer.headers['location']))
    return { answer, url, query: url.searchParams, cookie: `atelier_oidc=${cookiesOf(answer)['atelier_oidc']}` }
  }

  /** comes back with these parameters */
  const comeBack = (query: URLSearchParams | string, cookie: string, headers: Record<string, string> = {}) =>
    rig.call('GET', `${callback}?${String(query)}`, { headers: { cookie, ...headers } })

  /** goes to the provider, signs in there, and answers what to come back with */
  async function visitProvider(next?: string) {
    const began = await begin(next)
    const back = new URL(await provider.walk(began.url.href))
    assert.equal(`${back.origin}${back.pathname}`, redirectUri)
    return { ...began, back: back.searchParams }
  }

  return {
    rig,
    provider,
    clientSecretFile,
    begin,
    comeBack,
    visitProvider,
    async signIn(next?: string, cookies = '') {
      const { back, cookie } = await visitProvider(next)
      return comeBack(back, `${cookie}${cookies}`)
    },
    /** of the session that an answer began */
    async session(answer: Called) {
      const cookie = `atelier_session=${cookiesOf(answer)['atelier_session']}`
      return rig.call('GET', '/auth/session', { headers: { cookie } })
    },
    events: () => rig.service.events,
  }
}

export type OidcRig = Awaited<ReturnType<typeof openOidcRig>>
