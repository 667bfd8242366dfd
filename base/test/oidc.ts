// A real OpenID Connect provider for a test, on a loopback port: oidc-provider, with a person who signs in without a form. A
// test may have it lie: any of its answers can be replaced.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import OidcServer from 'oidc-provider'

export interface Person {
  readonly sub: string
  readonly [claim: string]: unknown
}

export interface ProviderKey {
  readonly kid: string
  readonly alg: 'RS256' | 'ES256'
  readonly pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
}

export const makeProviderKey = (kid: string, alg: ProviderKey['alg'] = 'RS256'): ProviderKey => ({
  kid,
  alg,
  pair:
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' }),
})

export const publicJwk = ({ kid, alg, pair }: ProviderKey): object => ({
  ...pair.publicKey.export({ format: 'jwk' }),
  kid,
  alg,
  use: 'sig',
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** an id token of these claims, signed by hand: a provider that lies sends it */
export function signToken({ kid, alg, pair }: ProviderKey, claims: object, header: object = {}): string {
  const text = `${encode({ alg, kid, ...header })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

export interface Lie {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object | string
}

export interface TestProviderOptions {
  readonly redirectUri: string
  readonly clientSecret?: string
  readonly alg?: ProviderKey['alg']
  /** of the provider's own configuration */
  readonly more?: object
}

export const clientId = 'service'

/** what the provider keeps, for this provider alone */
const memory = () => {
  const kept = new Map<string, Record<string, unknown>>()
  return class {
    readonly name: string
    constructor(name: string) {
      this.name = name
    }
    async upsert(id: string, payload: Record<string, unknown>) {
      kept.set(`${this.name} ${id}`, payload)
    }
    async find(id: string) {
      return kept.get(`${this.name} ${id}`)
    }
    async findByUid(uid: string) {
      return kept.values().find((one) => one['uid'] === uid)
    }
    async consume(id: string) {
      const found = kept.get(`${this.name} ${id}`)
      if (found) found['consumed'] = 1
    }
    async destroy(id: string) {
      kept.delete(`${this.name} ${id}`)
    }
    async revokeByGrantId(grant: string) {
      for (const [name, { grantId }] of kept) if (grantId === grant) kept.delete(name)
    }
  }
}

const ttl = Object.fromEntries(
  ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session'].map((name) => [name, 600]),
)

const claimsOfScopes = { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] }

function openProvider(issuer: string, key: ProviderKey, options: TestProviderOptions, person: () => Person) {
  const { redirectUri, clientSecret, more } = options
  const method = clientSecret === undefined ? 'none' : 'client_secret_basic'
  const client = {
    client_id: clientId,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: method,
    id_token_signed_response_alg: key.alg,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }
  const jwk = { ...key.pair.privateKey.export({ format: 'jwk' }), kid: key.kid, alg: key.alg, use: 'sig' }
  return new OidcServer(issuer, {
    clients: [client],
    adapter: memory(),
    ttl,
    jwks: { keys: [jwk] },
    claims: claimsOfScopes,
    cookies: { keys: ['of a test'] },
    features: { devInteractions: { enabled: false } },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    interactions: { url: () => '/person' },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ ...person(), sub }) }),
    // consent is given
    async loadExistingGrant(ctx: GrantContext) {
      const { oidc } = ctx
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ...more,
  })
}

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}

interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: object) => Grant }
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

function tell(res: ServerResponse, { status = 200, headers = {}, body }: Lie) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

export interface Visit {
  readonly status: number
  readonly location: string | undefined
  readonly cookies: readonly string[]
}

const visit = (url: string, jar: ReadonlyMap<string, string>): Promise<Visit> =>
  new Promise((ok, no) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    request(url, { agent: false, headers: { cookie } }, (res) => {
      res.resume()
      const { statusCode: status = 0, headers } = res
      ok({ status, location: headers.location, cookies: headers['set-cookie'] ?? [] })
    })
      .on('error', no)
      .end()
  })

/** a browser at the provider: follows it until it sends the browser away, and answers where to */
async function walk(start: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let step = 0; step < 10; step++) {
    const { status, location, cookies } = await visit(url, jar)
    for (const one of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      jar.set(name, value)
    }
    if (location === undefined) throw new Error(`the provider answers ${status} without a redirect`)
    const next = new URL(location, url)
    if (next.origin !== new URL(start).origin) return next.href
    url = next.href
  }
  throw new Error('the provider does not send the browser back')
}

/** `person` signs in at once; `lies` replaces answers by path; `asked` are the paths that were asked for */
export async function openTestProvider(t: TestContext, options: TestProviderOptions) {
  const key = makeProviderKey('first', options.alg)
  const asked: string[] = []
  const lies = new Map<string, (req: IncomingMessage, res: ServerResponse) => Lie | undefined>()
  const server = createServer()
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok))
  t.after(() => server.close().closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state = { person: { sub: 'one' } as Person }
  const provider = openProvider(issuer, key, options, () => state.person)
  const answer = provider.callback()

  async function signIn(req: IncomingMessage, res: ServerResponse) {
    await provider.interactionDetails(req, res)
    await provider.interactionFinished(req, res, { login: { accountId: state.person.sub } })
  }

  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const { pathname } = new URL(req.url ?? '/', issuer)
    asked.push(pathname)
    const lie = lies.get(pathname)
    if (lie) {
      const told = lie(req, res)
      if (told) tell(res, told)
    } else if (pathname === '/person') signIn(req, res).catch(() => res.destroy())
    else answer(req, res)
  })
  return {
    issuer,
    key,
    asked,
    lies,
    walk,
    set person(person: Person) {
      state.person = person
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

export type TestProvider = Awaited<ReturnType<typeof openTestProvider>>
