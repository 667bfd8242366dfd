import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const bin = resolve('bin/vitrine')

const run = (args: readonly string[], { file = bin, env = {}, cwd = process.cwd() } = {}): Promise<Ran> =>
  new Promise((ok) => {
    const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
    execFile(file, [...args], { cwd, env: { ...clean, NODE_OPTIONS: '', ...env } }, (error, out, err) =>
      ok({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })

const folder = mkdtempSync(join(tmpdir(), 'vitrine-cli-'))
const config = join(folder, 'vitrine.json')
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
writeFileSync(join(folder, 'k.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
writeFileSync(
  config,
  JSON.stringify({ store: 'sqlite:v.db', connections: { acme: { keyId: 'K', privateKeyFile: 'k.p8' } } }),
)
test.after(() => rmSync(folder, { recursive: true }))

test('keys are made, listed, shown and revoked, and the secret is printed once, alone on the last line', async () => {
  const made = await run([
    'keys',
    'create',
    '--name',
    'ci',
    '--connections',
    'acme',
    '--groups',
    'apps,reviews',
    '--expires',
    '90d',
    '--config',
    config,
  ])
  assert.equal(made.code, 0, made.err)
  const key = made.out.trim().split('\n').at(-1) ?? ''
  assert.match(key, /^vtr_live_\w{12}_\w{43}_\w{6}$/)
  const id = key.split('_')[2] ?? ''
  const listed = JSON.parse((await run(['keys', 'list', '--config', config])).out)
  assert.equal(listed.length, 1)
  assert.deepEqual(
    [listed[0].id, listed[0].name, listed[0].state, listed[0].connections, listed[0].groups],
    [id, 'ci', 'active', ['acme'], ['apps', 'reviews']],
  )
  assert.equal(listed[0].personal, false)
  const days = (Date.parse(listed[0].expiresAt) - Date.now()) / 86_400_000
  assert.ok(days > 89.9 && days <= 90)
  const shown = await run(['keys', 'show', id, '--config', config])
  assert.equal(JSON.parse(shown.out).id, id)
  for (const { out, err } of [shown, await run(['keys', 'list', '--config', config])])
    assert.ok(!`${out}${err}`.includes(key.split('_')[3] ?? ''))
  const revoked = await run(['keys', 'revoke', id, '--config', config])
  assert.deepEqual([revoked.code, revoked.err], [0, `Key ${id} is revoked.\n`])
  assert.equal(JSON.parse((await run(['keys', 'show', id, '--config', config])).out).state, 'revoked')
  assert.match((await run(['keys', 'revoke', id, '--config', config])).err, /was revoked before/)
})

test('a usage error is one line that names the fix', async () => {
  const create = ['keys', 'create', '--config', config, '--name', 'n', '--connections']
  const cases: [string[], RegExp][] = [
    [[...create, 'acm'], /--connections: there is no "acm"\. Did you mean "acme"\?/],
    [[...create, 'acme', '--groups', 'app'], /--groups: there is no "app"\. Did you mean "apps"\?/],
    [[...create, 'acme', '--expires', 'soon'], /--expires: must be a time such as 90d/],
    [[...create, 'acme', '--expires', '2020-01-01'], /lies in the past/],
    [[...create, 'acme', '--expires', '2027-02-31'], /--expires: must be a time/],
    [[...create, 'acme', '--name', 'a\u001b[31mb'], /--name: not usable\. What the key is for/],
    [[...create, ''], /--connections: not usable/],
    [[...create, 'acme', '--per-minute', '-1'], /--per-minute must be a whole number/],
    [[...create, 'acme', '--apps', 'a/b'], /--apps: not usable/],
    [
      ['explain', '/library-videos/1/placements', '--apps'],
      /403 forbidden \(route_not_for_apps\): The platform has no list/,
    ],
    [[...create, 'acme', '--platform-calls-per-hour', '0'], /--platform-calls-per-hour must be a whole number/],
    [['keys', 'revoke', 'nobody', '--config', config], /There is no such facade key/],
    [['serve', '--config', join(folder, 'none.json')], /none\.json cannot be read \(ENOENT\)/],
    [['sandbox', '--trouble', 'nonsense'], /nonsense/],
    [['explain', '/apps?nmae=x'], /400 invalid_query \(unknown_parameter\): "nmae" .* Did you mean "name"/],
    [['explain', '/nothing'], /404 resource_not_found/],
    [
      ['explain', '/apps/1/beta-feedback-screenshot-submissions?fields=email', '--without-personal'],
      /403 forbidden \(personal_not_granted\): "fields" .*email/,
    ],
    [['explain', '/subscriptions/../offer-codes'], /404 resource_not_found/],
    [['explain', `/apps?name=${'x'.repeat(5_000)}`], /400 invalid_query \(request_too_long\)/],
    [['keys', 'craete'], /unknown command 'craete'/],
  ]
  for (const [args, message] of cases) {
    const { code, out, err } = await run(args)
    assert.notEqual(code, 0, args.join(' '))
    assert.match(err, message)
    assert.doesNotMatch(err, /^\s+at /m, 'no stack')
    assert.equal(out, '')
  }
})

test('a service does not start on wrong settings, an unreadable key or a taken port', async () => {
  const wrong = join(folder, 'wrong.json')
  const serveWith = (settings: object) => {
    writeFileSync(wrong, JSON.stringify(settings))
    return run(['serve', '--config', wrong])
  }
  const connection = (privateKeyFile: string) => ({
    store: 'sqlite:w.db',
    connections: { acme: { keyId: 'K', privateKeyFile } },
  })
  assert.match((await serveWith({ upstraem: {} })).err, /upstraem: there is no such setting/)
  assert.match(
    (await serveWith(connection('none.p8'))).err,
    /connections\.acme\.privateKeyFile .*cannot be read \(ENOENT\)/,
  )
  writeFileSync(
    join(folder, 'rsa.p8'),
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  assert.match((await serveWith(connection('rsa.p8'))).err, /it is a key of type rsa, not EC/)
  writeFileSync(
    join(folder, 'p384.p8'),
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  assert.match((await serveWith(connection('p384.p8'))).err, /curve secp384r1, not on P-256/)
  writeFileSync(join(folder, 'text.p8'), 'CANARY-TEXT')
  const garbage = await serveWith(connection('text.p8'))
  assert.match(garbage.err, /holds no private key in PEM form/)
  assert.doesNotMatch(garbage.err, /CANARY/)
  assert.equal(garbage.code, 1)
})

test('explain prints the plan of a path or URL without a platform call', async () => {
  const path = '/events/e1/localizations/en-US/event-screenshots/ids?limit=3'
  for (const url of [path, `/v1/connections/demo${path}`, `http://127.0.0.1:8080/v1/connections/demo${path}`]) {
    const { code, out } = await run(['explain', url])
    assert.equal(code, 0)
    assert.deepEqual(
      JSON.parse(out).steps.map(({ get, query }: any) => ({ get, query })),
      [
        { get: '/v1/appEvents/e1/localizations', query: { 'fields[appEventLocalizations]': 'locale', limit: '200' } },
        { get: '/v1/appEventLocalizations/{localizationId}/relationships/appEventScreenshots', query: { limit: '3' } },
      ],
    )
  }
})

test('explain says what a lookup looks for, and what linkages would add', async () => {
  const { steps } = JSON.parse((await run(['explain', '/events/e1/localizations/en-US/event-screenshots/ids'])).out)
  assert.equal(steps[0].looksFor, 'en-US')
  const linked = JSON.parse((await run(['explain', '--linkage', '/customer-review-responses/r1'])).out)
  assert.equal(linked.steps[0].query.include, 'review')
})

test('a key that could not be printed does not stay', async () => {
  const full = await run(
    ['-c', `'${bin}' keys create --name lost --connections acme --config '${config}' > /dev/full`],
    { file: '/bin/sh' },
  )
  assert.equal(full.code, 1)
  assert.match(full.err, /could not be printed .* so it is revoked/)
  const lost = JSON.parse((await run(['keys', 'list', '--config', config])).out).find(
    ({ name }: any) => name === 'lost',
  )
  assert.equal(lost.state, 'revoked')
})

test('a folder in CDPATH does not lead the launcher astray', async () => {
  assert.equal((await run(['--version'], { file: 'bin/vitrine', env: { CDPATH: '/usr' } })).out, '0.1.0\n')
})

test('routes and openapi print what the service has', async () => {
  const routes = JSON.parse((await run(['routes'])).out)
  assert.ok(routes.length >= 29)
  assert.deepEqual(Object.keys(routes[0]), ['number', 'contract', 'operation', 'group', 'path', 'reviewed', 'endpoint'])
  const { paths } = JSON.parse((await run(['openapi'])).out)
  assert.equal(
    Object.keys(paths).filter((p) => p.startsWith('/v1/connections/{connectionId}/')).length,
    routes.length + 1,
  )
})

test('the launcher works through a link, from another folder, and says which Node.js it needs', async () => {
  const link = join(folder, 'vitrine')
  symlinkSync(bin, link)
  assert.equal((await run(['--version'], { file: link, cwd: folder })).out, '0.1.0\n')
  const old = await run(['--version'], { env: { VITRINE_NODE: '/bin/false' } })
  assert.deepEqual([old.code, old.err], [1, 'vitrine: VITRINE_NODE is not a Node.js of version 24.15 or newer\n'])
})
