// Every setting, read from a file and from the environment. Long because there are many.
import assert from 'node:assert/strict'
import test from 'node:test'
import { shownDefault } from '../../base/core/settings-reader.ts'
import { readSettings, settingsTable, variableOf } from '../src/settings.ts'

const refusal = (file: Record<string, unknown>, env: Record<string, string> = {}): string => {
  try {
    readSettings(file, env)
  } catch (error) {
    return (error as Error).message
  }
  return assert.fail('was taken')
}

test('without a file and an environment, everything has its default', () => {
  assert.deepEqual(readSettings({}, {}), {
    listen: { host: '127.0.0.1', port: 8080 },
    operatorListen: { host: '127.0.0.1', port: 8081 },
    publicUrl: undefined,
    operatorUrl: undefined,
    operatorTokenFile: undefined,
    'oidc.issuer': undefined,
    'oidc.clientId': undefined,
    'oidc.clientSecretFile': undefined,
    'oidc.scope': 'openid email profile',
    'oidc.nameClaim': 'email',
    'oidc.roleClaim': 'groups',
    'oidc.roles': undefined,
    store: 'sqlite:data/vitrine.db',
    storePasswordFile: undefined,
    redis: undefined,
    redisPasswordFile: undefined,
    storeOutageSeconds: 300,
    masterKeysFile: undefined,
    'upstream.baseUrl': 'https://api.appstoreconnect.apple.com',
    'upstream.timeoutMs': 25_000,
    'upstream.connectMs': 2_000,
    'upstream.headersMs': 10_000,
    'upstream.idleMs': 5_000,
    'upstream.totalMs': 20_000,
    'upstream.concurrency': 6,
    'upstream.privateAddresses': false,
    'upstream.proxy': undefined,
    'upstream.proxyPasswordFile': undefined,
    'upstream.noProxy': [],
    'upstream.caFile': undefined,
    'rateLimit.perMinute': 600,
    'rateLimit.failuresPerMinute': 1_000,
    'limits.requests': 4_096,
    'limits.connectionsPerAddress': 1_000,
    'limits.answerMegabytes': 128,
    drainSeconds: 3,
    trustedProxies: [],
    cacheSeconds: 0,
    traces: false,
    'audit.reads': false,
    'audit.days': 0,
    'audit.lines': 0,
    log: 'all',
    connections: {},
  })
})

test('the documented default is the default used', () => {
  for (const [name, setting] of Object.entries(settingsTable)) {
    const shown = shownDefault(setting)
    if (shown !== 'none')
      assert.deepEqual(setting.read(/^\d+$/.test(shown) ? Number(shown) : shown), setting.standard, name)
  }
})

test('every setting can be given in the environment, which wins', () => {
  assert.deepEqual(Object.keys(settingsTable).map(variableOf), [
    'VITRINE_LISTEN',
    'VITRINE_OPERATOR_LISTEN',
    'VITRINE_PUBLIC_URL',
    'VITRINE_OPERATOR_URL',
    'VITRINE_OPERATOR_TOKEN_FILE',
    'VITRINE_OIDC_ISSUER',
    'VITRINE_OIDC_CLIENT_ID',
    'VITRINE_OIDC_CLIENT_SECRET_FILE',
    'VITRINE_OIDC_SCOPE',
    'VITRINE_OIDC_NAME_CLAIM',
    'VITRINE_OIDC_ROLE_CLAIM',
    'VITRINE_OIDC_ROLES',
    'VITRINE_STORE',
    'VITRINE_STORE_PASSWORD_FILE',
    'VITRINE_REDIS',
    'VITRINE_REDIS_PASSWORD_FILE',
    'VITRINE_STORE_OUTAGE_SECONDS',
    'VITRINE_MASTER_KEYS_FILE',
    'VITRINE_UPSTREAM_BASE_URL',
    'VITRINE_UPSTREAM_TIMEOUT_MS',
    'VITRINE_UPSTREAM_CONNECT_MS',
    'VITRINE_UPSTREAM_HEADERS_MS',
    'VITRINE_UPSTREAM_IDLE_MS',
    'VITRINE_UPSTREAM_TOTAL_MS',
    'VITRINE_UPSTREAM_CONCURRENCY',
    'VITRINE_UPSTREAM_PRIVATE_ADDRESSES',
    'VITRINE_UPSTREAM_PROXY',
    'VITRINE_UPSTREAM_PROXY_PASSWORD_FILE',
    'VITRINE_UPSTREAM_NO_PROXY',
    'VITRINE_UPSTREAM_CA_FILE',
    'VITRINE_RATE_LIMIT_PER_MINUTE',
    'VITRINE_RATE_LIMIT_FAILURES_PER_MINUTE',
    'VITRINE_LIMITS_REQUESTS',
    'VITRINE_LIMITS_CONNECTIONS_PER_ADDRESS',
    'VITRINE_LIMITS_ANSWER_MEGABYTES',
    'VITRINE_DRAIN_SECONDS',
    'VITRINE_TRUSTED_PROXIES',
    'VITRINE_CACHE_SECONDS',
    'VITRINE_TRACES',
    'VITRINE_AUDIT_READS',
    'VITRINE_AUDIT_DAYS',
    'VITRINE_AUDIT_LINES',
    'VITRINE_LOG',
    'VITRINE_CONNECTIONS',
  ])
  const env = {
    VITRINE_LISTEN: '[::1]:0',
    VITRINE_UPSTREAM_TIMEOUT_MS: '600',
    VITRINE_CONNECTIONS: '{"a":{"keyId":"K","privateKeyFile":"k.p8"}}',
    PATH: '/bin',
  }
  const settings = readSettings({ listen: '0.0.0.0:1', upstream: { timeoutMs: 1_000 } }, env)
  assert.deepEqual(settings.listen, { host: '::1', port: 0 })
  assert.equal(settings['upstream.timeoutMs'], 600)
  assert.deepEqual(settings.connections, { a: { keyId: 'K', privateKeyFile: 'k.p8' } })
})

test('an unknown setting or variable stops the start and is named', () => {
  assert.match(refusal({ lisen: 'x' }), /^lisen: there is no such setting\. Did you mean "listen"\?$/)
  assert.match(refusal({ upstream: { baseURL: 'x' } }), /^upstream\.baseURL: there is no such setting/)
  assert.match(
    refusal({}, { VITRINE_LISTNE: 'x' }),
    /^VITRINE_LISTNE: there is no such variable\. Did you mean "VITRINE_LISTEN"\?$/,
  )
  assert.match(refusal({}, { VITRINE_: 'x' }), /^VITRINE_: there is no such variable; known: /)
  assert.match(refusal({ memcached: 'x' }), /^memcached: there is no such setting; known: listen, /)
})

test('variables that a container platform sets for a service of this name are ignored', () => {
  assert.ok(
    readSettings(
      {},
      { VITRINE_SERVICE_HOST: '10.0.0.1', VITRINE_PORT_8080_TCP_ADDR: '10.0.0.1', VITRINE_PORT: 'tcp://x' },
    ),
  )
})

test('all errors are reported at once, without quoting a given value', () => {
  const message = refusal(
    {
      listen: 'SECRET',
      upstream: { timeoutMs: 'SECRET', baseUrl: 'SECRET' },
      store: 'SECRET',
      log: 'SECRET',
      connections: { 'a b': {}, ok: { keyId: '' } },
    },
    { VITRINE_RATE_LIMIT_PER_MINUTE: 'SECRET' },
  )
  for (const name of [
    'listen',
    'upstream.timeoutMs',
    'upstream.baseUrl',
    'store',
    'log',
    'connections',
    'VITRINE_RATE_LIMIT_PER_MINUTE',
  ])
    assert.match(message, new RegExp(`^${name}: `, 'm'))
  assert.doesNotMatch(message, /SECRET/)
})

test('the platform is an https origin, or plain http on this machine', () => {
  const good = [
    'https://api.example',
    'https://api.example:8443/',
    'http://127.0.0.1:8090',
    'http://localhost',
    'http://[::1]:1',
  ]
  for (const baseUrl of good) assert.ok(readSettings({ upstream: { baseUrl } }, {}))
  const bad = [
    'http://api.example',
    'http://127.0.0.1.evil.example',
    'https://u:p@api.example',
    'https://api.example/v1',
    'https://api.example?x',
    'ftp://x',
    'x',
    7,
    null,
  ]
  for (const baseUrl of bad) assert.match(refusal({ upstream: { baseUrl } }), /^upstream\.baseUrl: must/)
})

test('a connection is checked member by member', () => {
  const of = (one: unknown) => refusal({ connections: { acme: one } })
  const whole = { keyId: 'K', privateKeyFile: 'k.p8' }
  assert.match(of({ ...whole, privatekeyfile: 'x' }), /acme: does not know "privatekeyfile"; known: issuerId/)
  assert.match(of({ keyId: 'K' }), /acme: needs privateKeyFile/)
  assert.match(of({ ...whole, linkage: 'yes' }), /acme: linkage can only be "asked"/)
  assert.match(of({ ...whole, issuerId: 7 }), /acme: issuerId is not usable\. An issuer id is a UUID, such as /)
  assert.match(of({ privateKeyFile: 'k' }), /acme: needs keyId\. A key id is 10 capital letters and digits, such as /)
  assert.match(of('x'), /acme: must be an object/)
  for (const id of ['', '.', '-a', 'a/b', 'a b', 'é', 'x'.repeat(65)])
    assert.match(refusal({ connections: { [id]: whole } }), /an id is 1 to 64/)
  assert.deepEqual(
    Object.keys(
      readSettings({ connections: JSON.parse('{"constructor":{"keyId":"K","privateKeyFile":"k"}}') }, {}).connections,
    ),
    ['constructor'],
  )
})

test('cacheSeconds is one number for all groups, or one for each', () => {
  const cacheSeconds = (value: unknown) => readSettings({ cacheSeconds: value }, {}).cacheSeconds
  assert.equal(cacheSeconds(60), 60)
  assert.deepEqual(cacheSeconds({ apps: 60, builds: 0 }), { apps: 60, builds: 0 })
  assert.deepEqual(readSettings({}, { VITRINE_CACHE_SECONDS: '{"apps":5}' }).cacheSeconds, { apps: 5 })
  assert.equal(readSettings({}, { VITRINE_CACHE_SECONDS: '5' }).cacheSeconds, 5)
  for (const wrong of [-1, 1.5, 3_601, 'soon', null, [], {}, [60], { apps: -1 }, { apps: '60' }, { apps: 3_601 }, true])
    assert.match(refusal({ cacheSeconds: wrong }), /^cacheSeconds: must be (whole seconds|JSON)/, JSON.stringify(wrong))
  const connections = { a: { keyId: 'K', privateKeyFile: 'k.p8', cacheSeconds: 'x' } }
  assert.match(refusal({ connections }), /^connections: a: cacheSeconds must be/)
})

test('trusted proxies are addresses and networks, and nothing else', () => {
  const good = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0']
  assert.deepEqual(readSettings({ trustedProxies: good }, {}).trustedProxies, good)
  assert.deepEqual(readSettings({}, { VITRINE_TRUSTED_PROXIES: '10.0.0.1,10.0.0.2' }).trustedProxies, [
    '10.0.0.1',
    '10.0.0.2',
  ])
  for (const wrong of [
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '::1/129',
    '10.0.0.0/',
    '10.0.0',
    'fe80::1%eth0',
    ' ',
  ])
    assert.match(refusal({ trustedProxies: [wrong] }), /^trustedProxies: must be a list of addresses/, wrong)
  assert.match(refusal({ trustedProxies: 7 }), /^trustedProxies: must be a list/)
})
