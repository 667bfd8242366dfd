import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { makeIdentity } from '../ground/certificates.ts'
import { refuse, type Script, send, startScriptedPlatform } from '../ground/scripted-platform.ts'
import { authority, shows, startTlsPlatform } from '../ground/tls-platform.ts'
import { claimsOf, look, platformWith, rate, start, well } from './platform.ts'
import { examine, findCheck, illIn, install, makeFolder } from './scene.ts'

test('a healthy connection costs one call for its token and one for each other group, each of one row', async (t) => {
  const platform = await start(t, platformWith())
  const { config } = install(t, platform.url)
  const told = await examine(config)
  assert.deepEqual(illIn(told), well)
  assert.equal(told.code, 0)
  const [knock, ...calls] = platform.calls
  assert.deepEqual([knock?.url, claimsOf(knock?.headers.authorization)], ['/v1/apps?limit=1', undefined])
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

test('a refusal that the platform does not repeat is a whim of it, and no finding', async (t) => {
  const refused = new Set<string>()
  const script = platformWith(({ path }, res) => {
    if (refused.size === refused.add(path).size) return
    refuse(res, 401, 'NOT_AUTHORIZED')
  })
  assert.deepEqual(illIn(await look(t, script)), well)
  assert.equal(refused.size, 8)
})

test('a platform that is silent costs the time of one answer, and is the one finding', async (t) => {
  const told = await look(t, () => {})
  assert.deepEqual(illIn(told), [...well, 'platform=fail'])
  assert.match(findCheck(told, 'platform').cause ?? '', /did not answer in time \(UND_ERR_HEADERS_TIMEOUT\)/)
  assert.equal(findCheck(told, 'token').says, 'Not tried: the platform cannot be reached.')
})

test('a name without an address, and a port where nobody listens, are told apart', async (t) => {
  const named = await examine(install(t, 'https://platform.invalid').config)
  assert.deepEqual(illIn(named), [...well, 'platform=fail'])
  assert.match(findCheck(named, 'platform').cause ?? '', /no address|name service/)
  const { url, close } = await startScriptedPlatform(() => {})
  await close()
  assert.match(findCheck(await examine(install(t, url).config), 'platform').cause ?? '', /nothing listens there/)
})

test('a certificate of another name, and a port without TLS, are told apart', async (t) => {
  const identity = makeIdentity({ name: 'Other', by: authority, host: 'other.example' })
  const { url, close } = await startTlsPlatform(shows(identity), () => {})
  t.after(close)
  const file = join(makeFolder(t), 'authority.pem')
  writeFileSync(file, authority.cert)
  const wrong = await examine(install(t, url).config, [], { NODE_EXTRA_CA_CERTS: file })
  assert.deepEqual(illIn(wrong), [...well, 'platform=fail'])
  assert.match(findCheck(wrong, 'platform').cure ?? '', /certificate that is shown is of another name/)
  const plain = await start(t, () => {})
  const spoken = await examine(install(t, plain.url.replace('http:', 'https:')).config)
  assert.deepEqual(illIn(spoken), [...well, 'platform=fail'])
  assert.match(findCheck(spoken, 'platform').cure ?? '', /does not speak TLS/)
})

test('a certificate that nobody vouches for is named, and what to do about it', async (t) => {
  const { url, close } = await startTlsPlatform(shows(makeIdentity({ name: 'Nobody', host: '127.0.0.1' })), () => {})
  t.after(close)
  const told = await examine(install(t, url).config)
  assert.deepEqual(illIn(told), [...well, 'platform=fail'])
  assert.match(findCheck(told, 'platform').cause ?? '', /cannot be trusted: [A-Z_]+/)
  assert.match(findCheck(told, 'platform').cure ?? '', /NODE_EXTRA_CA_CERTS/)
})

const page: Readonly<Record<string, string>> = { 'content-type': 'text/html' }

test('whoever refuses otherwise than the platform does is not the platform, and nothing else is found', async (t) => {
  for (const [status, cause] of [
    [401, /^it answered 401, and not as the platform does$/],
    [403, /answered 403/],
    [404, /answered 404/],
    [407, /^a proxy in between wants a sign-in: it answered 407$/],
    [511, /answered 511/],
    [302, /^without a token it answered 302, where the platform refuses$/],
  ] as const) {
    const told = await look(t, (_, res) => send(res, '<html>', page, status))
    assert.deepEqual(illIn(told), [...well, 'platform=fail'])
    assert.equal(findCheck(told, 'platform').says.endsWith('is not the platform.'), true)
    assert.match(findCheck(told, 'platform').cause ?? '', cause)
    assert.match(findCheck(told, 'platform').cure ?? '', /proxy or a sign-in page/)
  }
  const behind = await look(
    t,
    platformWith((_, res) => send(res, '<html>', page, 403)),
  )
  assert.deepEqual(illIn(behind), [...well, 'acme token=fail'])
  const once = await look(
    t,
    platformWith(({ path }, res) => (path.endsWith('/appEvents') ? send(res, '<html>', page, 403) : undefined)),
  )
  assert.deepEqual(illIn(once), [...well, 'acme group:marketing=fail'])
  assert.match(findCheck(once, 'group:marketing').cure ?? '', /between here and the platform/)
})

test('silence, garbage and a page for those who bring a token are findings of the token', async (t) => {
  const scripts: readonly (readonly [Script, RegExp])[] = [
    [() => new Promise(() => {}), /in time/],
    [(_, res) => send(res, '{"data": ['), /./],
    [(_, res) => send(res, '<html>', { 'content-type': 'text/html' }), /not JSON/],
    [({ socket }) => void socket.destroy(), /cut/],
  ]
  for (const [script, cause] of scripts) {
    const told = await look(t, platformWith(script))
    assert.deepEqual(illIn(told), [...well, 'acme token=fail'])
    assert.match(findCheck(told, 'token').cause ?? '', cause)
  }
})

test('a group that fails in its own way is named alone', async (t) => {
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
    assert.deepEqual(illIn(told), [...well, `acme group:builds=${state}`])
    assert.match(findCheck(told, 'group:builds').cause ?? '', cause)
  }
})

test('a quota that is spent in the middle is told once, and nothing more is asked', async (t) => {
  const platform = await start(
    t,
    platformWith(({ path }, res) => {
      if (path.endsWith('/appEvents')) refuse(res, 429, 'RATE_LIMIT_EXCEEDED', undefined, { 'retry-after': '77' })
    }),
  )
  const told = await examine(install(t, platform.url).config)
  assert.deepEqual(illIn(told), [...well, 'acme group:marketing=fail'])
  assert.equal(findCheck(told, 'group:marketing').cure, 'Wait 77 seconds, and try it again.')
  assert.equal(findCheck(told, 'group:legacy').says, 'Not tried: the quota is spent.')
  assert.match(platform.calls.at(-1)?.path ?? '', /appEvents/)
})

test('an account without apps is well, and what needs an app says why it was not tried', async (t) => {
  const script = platformWith(({ path }, res) =>
    path === '/v1/apps' ? send(res, { data: [], links: {} }, rate) : undefined,
  )
  const told = await look(t, script)
  assert.deepEqual([told.code, illIn(told)], [0, well])
  assert.equal(findCheck(told, 'group:reviews').says, 'Not tried: the account has no apps.')
  assert.equal(findCheck(told, 'group:legacy').state, 'ok')
  assert.equal(findCheck(told, 'quota').state, 'ok')
})

test('a key that may list no apps is told so, and the groups that need one are not tried', async (t) => {
  const told = await look(
    t,
    platformWith(({ path }, res) => (path === '/v1/apps' ? refuse(res, 403, 'FORBIDDEN_ERROR') : undefined)),
  )
  assert.deepEqual(illIn(told), [...well, 'acme group:apps=fail'])
  assert.equal(findCheck(told, 'group:builds').says, 'Not tried: no app can be listed.')
})

test('what the platform says is never repeated', async (t) => {
  const told = await look(
    t,
    platformWith((_, res) => refuse(res, 403, 'FORBIDDEN_ERROR')),
  )
  assert.doesNotMatch(told.out + told.err, /PLATFORM WORDS/)
})
