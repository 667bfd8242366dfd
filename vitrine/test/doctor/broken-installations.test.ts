import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { type Canary, findCanaries, pemCanaries } from '../support/canaries.ts'
import { examine, findCheck, problemsIn, prepare, run, stateOf, type Told } from './scene.ts'

const operatorToken = 'q8Zr2Vx5Lm7Tn4Kp9Wd3Hc'

/** disorder, failed check, its cause, number of checks that are skipped because of it */
const disorders: readonly (readonly [string, string, RegExp, number])[] = [
  ['setting-misspelt', 'settings=fail', /vitrine\.json:12:3: upstreem: there is no such setting$/, 26],
  ['authorities-damaged', 'outgoing=fail', /^upstream\.caFile: authorities\.pem: it ends within a certificate$/, 14],
  ['port-taken', 'doors=fail', /^listen 127\.0\.0\.1:\d+: another program listens there$/, 0],
  ['provider-other', 'sign-in=warn', /^oidc\.issuer: .*not a conform Authorization Server Metadata response/, 0],
  ['proxies-wide', 'proxies=warn', /10\.0\.0\.0\/8 includes more than proxies/, 0],
  ['store-missing', 'store=warn', /has not been started/, 3],
  ['store-damaged', 'store=fail', /Tree \d+ page \d+/, 3],
  ['store-open', 'store=warn', /vitrine\.db has mode 644$/, 0],
  ['store-older', 'schema=warn', /an older version of Vitrine/, 2],
  ['store-newer', 'schema=fail', /a newer version of Vitrine/, 2],
  ['master-key-missing', 'master-keys=fail', /ids: sandbox/, 1],
  ['credential-altered', 'credentials=fail', /^hosted: its credential cannot be decrypted/, 12],
  [
    'redis-other',
    'redis=fail',
    /^redis:\/\/127\.0\.0\.1:\d+: (the server there is not Redis|the connection was cut before an answer)$/,
    0,
  ],
  ['no-connections', 'connections=warn', /neither the settings nor the store/, 0],
  ['unreachable', 'platform=fail', /cut before an answer/, 12],
  ['not-the-platform', 'platform=fail', /answered 200/, 12],
  ['platform-down', 'platform=fail', /answered 503/, 12],
  ['clock', 'clock=fail', /60 minutes ahead/, 0],
  ['clock-drift', 'clock=warn', /4[456] seconds ahead/, 0],
  ['key-file-missing', 'demo key-file=fail', /ENOENT/, 11],
  ['key-file-open', 'demo key-file=warn', /mode 644/, 0],
  ['key-file-garbage', 'demo key-file=fail', /no private key/, 11],
  ['key-id-wrong', 'demo token=fail', /keyId is SANDBOX002, and the key file is named after SANDBOX001/, 10],
  ['key-revoked', 'demo token=fail', /unknown to the platform or revoked/, 10],
  ['issuer-wrong', 'demo token=fail', /is not its issuer/, 10],
  ['issuer-needless', 'demo token=fail', /is an individual key/, 10],
  ['agreement', 'demo agreements=fail', /the platform reports it/, 9],
  ['quota-low', 'demo quota=warn', /200 of 3600/, 0],
  ['quota-spent', 'demo quota=fail', /429/, 9],
  ['group-refused', 'demo group:reviews=fail', /403/, 0],
]

/** secrets that no output may contain: the signing key, the master key, the operator token */
function secretsIn(folder: string): Canary[] {
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim() : '')
  const pem = read('../sandbox.p8')
  const master = read('master-keys')
  return [
    ...pemCanaries('the signing key', `${pem}\n`),
    ...(master === '' ? [] : [{ name: 'the master key', secret: master.slice(master.indexOf(':') + 1) }]),
    { name: 'the operator token', secret: operatorToken },
  ]
}

function assertNoSecret(folder: string, { out, err }: Told) {
  assert.deepEqual(findCanaries(out + err, secretsIn(folder)), [])
  assert.doesNotMatch(out + err, /eyJ|PRIVATE KEY/)
}

test('a healthy installation passes every check', async (t) => {
  const { config, folder } = await prepare(t, 'none')
  const told = await examine(config, [], { VITRINE_OPERATOR_TOKEN: operatorToken })
  assert.equal(told.code, 0, told.err)
  assert.deepEqual(
    told.json.checks.map(({ id, connection, state }) => [connection, id, state].filter(Boolean).join(' ')),
    [
      'settings ok',
      'version ok',
      'outgoing ok',
      'doors ok',
      'operator-token ok',
      'sign-in ok',
      'proxies ok',
      'store ok',
      'schema ok',
      'master-keys ok',
      'credentials ok',
      'replicas ok',
      'redis ok',
      'connections ok',
      'platform ok',
      'clock ok',
      ...['demo', 'hosted'].flatMap((id) =>
        [
          'key-file',
          'token',
          'agreements',
          'quota',
          'group:apps',
          'group:builds',
          'group:feedback',
          'group:commerce',
          'group:marketing',
          'group:reviews',
          'group:performance',
          'group:legacy',
        ].map((check) => `${id} ${check} ok`),
      ),
    ],
  )
  assert.equal(told.json.ok, true)
  assertNoSecret(folder, told)
})

for (const [disorder, problem, cause, skipped] of disorders)
  test(`${disorder} is reported by exactly one check, with its cause and its fix`, async (t) => {
    const { config, folder } = await prepare(t, disorder)
    const before = stateOf(folder)
    const told = await examine(config, [], { VITRINE_OPERATOR_TOKEN: operatorToken })
    assert.deepEqual(problemsIn(told), [problem])
    assert.equal(told.code, problem.endsWith('fail') ? 1 : 0)
    assert.equal(told.json.ok, problem.endsWith('warn'))
    const check = told.json.checks.find(({ state }) => state === 'warn' || state === 'fail')
    assert.match(check?.cause ?? '', cause)
    assert.ok((check?.cure ?? '').length > 10)
    const notTried = told.json.checks.filter(({ state }) => state === 'skip')
    assert.equal(notTried.length, skipped, JSON.stringify(notTried))
    for (const { says } of notTried) assert.match(says, /^Not tried: [a-z].*\.$/)
    assertNoSecret(folder, told)
    assert.deepEqual(stateOf(folder), before)
  })

test('an operator endpoint that is open to the network fails without a token and passes with one', async (t) => {
  const { config } = await prepare(t, 'operator-door-open')
  const told = await examine(config)
  assert.deepEqual(problemsIn(told), ['operator-token=fail'])
  assert.match(findCheck(told, 'operator-token').cause ?? '', /0\.0\.0\.0:0 is open to the network/)
  const [token, both] = [operatorToken, `${config}.token`]
  assert.deepEqual(problemsIn(await examine(config, [], { VITRINE_OPERATOR_TOKEN: token })), [])
  const twice = await examine(config, [], { VITRINE_OPERATOR_TOKEN: token, VITRINE_OPERATOR_TOKEN_FILE: both })
  assert.match(findCheck(twice, 'operator-token').cause ?? '', /both given/)
})

test('a weak operator token fails, and the fix has the command that makes a strong one', async (t) => {
  const { config } = await prepare(t, 'operator-token-weak')
  const told = await examine(config)
  assert.deepEqual(problemsIn(told), ['operator-token=fail'])
  const { cause = '', cure = '' } = findCheck(told, 'operator-token')
  assert.match(cause, /line 1 is not a token: .*128 bits of chance/)
  assert.match(cure, /vitrine operator token/)
  assert.ok(!`${told.out}${told.err}`.includes('correct-horse'))
})

test('an unknown disorder is refused with the nearest name and a list of all names', async (t) => {
  void t
  const { code, out, err } = await run(['sandbox', '--disorder', 'clok'])
  assert.deepEqual([code, out], [1, ''])
  assert.match(
    err,
    /^vitrine: --disorder: unknown name "clok"\. Did you mean "clock"\? Names: none, .*group-refused\.\n$/,
  )
})
