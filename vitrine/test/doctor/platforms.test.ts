import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { refuse, type Script, send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { authority, presentCertificate, startTlsPlatform } from '../support/tls-platform.ts'
import { claimsOf, look, platformWith, rate, start, well } from './platform.ts'
import { examine, findCheck, problemsIn, install, makeFolder } from './scene.ts'

test('a healthy connection costs one call for its token and one for each other group, each for one row', async (t) => {
  const platform = await start(t, platformWith())
  const { config } = install(t, platform.url)
  const told = await examine(config)
  assert.deepEqual(problemsIn(told), well)
  assert.equal(told.code, 0)
  const [first, ...calls] = platform.calls
  assert.deepEqual([first?.url, claimsOf(first?.headers.authorization)], ['/v1/apps?limit=1', undefined])
  assert.deepEqual(
    calls.map(({ url }) => decodeURIComponent(url)),
    [
      '/v1/apps?fields[apps]=bundleId&limit=1',
      '/v1/apps/6446990001/buildUploads?fields[buildUploads]=cfBundleVersion&limit=1',
      '/v1/apps/6446990001/betaFeedbackScreenshotSubmissions?fields[betaFeedbackScreenshotSubmissions]=createdDate&limit=1',
      '/v1/apps/6446990001/relationships/inAppPurchasesV2?limit=1',
      '/v1/apps/6446990001/appEvents?fields[appEvents]=badge&limit=1',
      '/v1/apps/6446990001/customerReviews?fields[customerReviews]=rating&limit=1',
      '/v1/apps/6446990001/performanceOverviews?filter[deviceType]=all_iphones',
      '/v1/appEncryptionDeclarations?fields[appEncryptionDeclarations]=platform&limit=1',
    ],
  )
  assert.equal(calls[6]?.headers.accept, 'application/vnd.apple.xcode-overview+json')
})

test('a refusal that the platform does not repeat is not a problem', async (t) => {
  const refused = new Set<string>()
  const script = platformWith(({ path }, res) => {
    if (refused.size === refused.add(path).size) return
    refuse(res, 401, 'NOT_AUTHORIZED')
  })
  assert.deepEqual(problemsIn(await look(t, script)), well)
  assert.equal(refused.size, 8)
})

test('a silent platform costs one timeout and is reported as the only problem', async (t) => {
  const told = await look(t, () => {})
  assert.deepEqual(problemsIn(told), [...well, 'platform=fail'])
  assert.match(findCheck(told, 'platform').cause ?? '', /did not answer in time \(UND_ERR_HEADERS_TIMEOUT\)/)
  assert.equal(findCheck(told, 'token').says, 'Not tried: the platform cannot be reached.')
})

test('an unresolvable host name and a closed port have different causes', async (t) => {
  const named = await examine(install(t, 'https://platform.invalid').config)
  assert.deepEqual(problemsIn(named), [...well, 'platform=fail'])
  assert.match(findCheck(named, 'platform').cause ?? '', /no address|name service/)
  const { url, close } = await startScriptedPlatform(() => {})
  await close()
  assert.match(findCheck(await examine(install(t, url).config), 'platform').cause ?? '', /nothing listens there/)
})

test('a certificate for another name and a port without TLS have different fixes', async (t) => {
  const identity = makeIdentity({ name: 'Other', by: authority, host: 'other.example' })
  const { url, close } = await startTlsPlatform(presentCertificate(identity), () => {})
  t.after(close)
  const file = join(makeFolder(t), 'authority.pem')
  writeFileSync(file, authority.cert)
  const wrong = await examine(install(t, url).config, [], { NODE_EXTRA_CA_CERTS: file })
  assert.deepEqual(problemsIn(wrong), [...well, 'platform=fail'])
  assert.match(findCheck(wrong, 'platform').cure ?? '', /certificate is for another name/)
  const plain = await start(t, () => {})
  const spoken = await examine(install(t, plain.url.replace('http:', 'https:')).config)
  assert.deepEqual(problemsIn(spoken), [...well, 'platform=fail'])
  assert.match(findCheck(spoken, 'platform').cure ?? '', /does not speak TLS/)
})

test('an untrusted certificate is reported with its fix', async (t) => {
  const { url, close } = await startTlsPlatform(
    presentCertificate(makeIdentity({ name: 'Nobody', host: '127.0.0.1' })),
    () => {},
  )
  t.after(close)
  const told = await examine(install(t, url).config)
  assert.deepEqual(problemsIn(told), [...well, 'platform=fail'])
  assert.match(findCheck(told, 'platform').cause ?? '', /cannot be trusted: [A-Z_]+/)
  assert.match(findCheck(told, 'platform').cure ?? '', /upstream\.caFile/)
})

const page: Readonly<Record<string, string>> = { 'content-type': 'text/html' }

test('a server whose refusals differ from those of the platform is the only problem reported', async (t) => {
  for (const [status, cause] of [
    [401, /^it answered 401, and not in the platform's form$/],
    [403, /answered 403/],
    [404, /answered 404/],
    [407, /^a proxy in between requires a sign-in: it answered 407$/],
    [511, /answered 511/],
    [302, /^without a token it answered 302, where the platform refuses$/],
  ] as const) {
    const told = await look(t, (_, res) => send(res, '<html>', page, status))
    assert.deepEqual(problemsIn(told), [...well, 'platform=fail'])
    assert.equal(findCheck(told, 'platform').says.endsWith('is not the platform.'), true)
    assert.match(findCheck(told, 'platform').cause ?? '', cause)
    assert.match(findCheck(told, 'platform').cure ?? '', /proxy or a sign-in page/)
  }
  const behind = await look(
    t,
    platformWith((_, res) => send(res, '<html>', page, 403)),
  )
  assert.deepEqual(problemsIn(behind), [...well, 'acme token=fail'])
  const once = await look(
    t,
    platformWith(({ path }, res) => (path.endsWith('/appEvents') ? send(res, '<html>', page, 403) : undefined)),
  )
  assert.deepEqual(problemsIn(once), [...well, 'acme group:marketing=fail'])
  assert.match(findCheck(once, 'group:marketing').cure ?? '', /between this machine and the platform/)
})

test('silence, garbage or an HTML page in answer to a token is a problem of the token check', async (t) => {
  const scripts: readonly (readonly [Script, RegExp])[] = [
    [() => new Promise(() => {}), /in time/],
    [(_, res) => send(res, '{"data": ['), /./],
    [(_, res) => send(res, '<html>', { 'content-type': 'text/html' }), /not JSON/],
    [({ socket }) => void socket.destroy(), /cut/],
  ]
  for (const [script, cause] of scripts) {
    const told = await look(t, platformWith(script))
    assert.deepEqual(problemsIn(told), [...well, 'acme token=fail'])
    assert.match(findCheck(told, 'token').cause ?? '', cause)
  }
})

test('a failure of one group is reported for that group only', async (t) => {
  const scripts: readonly (readonly [Script, string, RegExp])[] = [
    [(_, res) => refuse(res, 500, 'UNEXPECTED_ERROR'), 'fail', /500/],
    [(_, res) => send(res, '<html>', { 'content-type': 'text/html' }), 'fail', /not JSON/],
    [(_, res) => refuse(res, 404, 'NOT_FOUND'), 'warn', /404 for an app that it had just listed/],
    [(_, res) => refuse(res, 400, 'PARAMETER_ERROR.INVALID'), 'fail', /refused a request of our making/],
    [(_, res) => refuse(res, 403, 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED'), 'fail', /an agreement/],
  ]
  for (const [script, state, cause] of scripts) {
    const only: Script = (call, res) => (call.path.endsWith('/buildUploads') ? script(call, res) : undefined)
    const told = await look(t, platformWith(only))
    assert.deepEqual(problemsIn(told), [...well, `acme group:builds=${state}`])
    assert.match(findCheck(told, 'group:builds').cause ?? '', cause)
  }
})

test('a quota that is used up in the middle is reported once, and no further call is made', async (t) => {
  const platform = await start(
    t,
    platformWith(({ path }, res) => {
      if (path.endsWith('/appEvents')) refuse(res, 429, 'RATE_LIMIT_EXCEEDED', undefined, { 'retry-after': '77' })
    }),
  )
  const told = await examine(install(t, platform.url).config)
  assert.deepEqual(problemsIn(told), [...well, 'acme group:marketing=fail'])
  assert.equal(findCheck(told, 'group:marketing').cure, 'Wait 77 seconds, and try again.')
  assert.equal(findCheck(told, 'group:legacy').says, 'Not tried: the quota is used up.')
  assert.match(platform.calls.at(-1)?.path ?? '', /appEvents/)
})

test('an account without apps passes, and checks that need an app say why they were skipped', async (t) => {
  const script = platformWith(({ path }, res) =>
    path === '/v1/apps' ? send(res, { data: [], links: {} }, rate) : undefined,
  )
  const told = await look(t, script)
  assert.deepEqual([told.code, problemsIn(told)], [0, well])
  assert.equal(findCheck(told, 'group:reviews').says, 'Not tried: the account has no apps.')
  assert.equal(findCheck(told, 'group:legacy').state, 'ok')
  assert.equal(findCheck(told, 'quota').state, 'ok')
})

test('a key without permission to list apps fails one check, and the groups that need an app are skipped', async (t) => {
  const told = await look(
    t,
    platformWith(({ path }, res) => (path === '/v1/apps' ? refuse(res, 403, 'FORBIDDEN_ERROR') : undefined)),
  )
  assert.deepEqual(problemsIn(told), [...well, 'acme group:apps=fail'])
  assert.equal(findCheck(told, 'group:builds').says, 'Not tried: no app can be listed.')
})

test('messages of the platform are never printed', async (t) => {
  const told = await look(
    t,
    platformWith((_, res) => refuse(res, 403, 'FORBIDDEN_ERROR')),
  )
  assert.doesNotMatch(told.out + told.err, /PLATFORM WORDS/)
})
