// Connections, vault, audit and store from the command line, over a sandbox platform. Long: one installation goes through all
// that can be done with it, in order.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly json: any
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [known, second, stranger] = [pair(), pair(), pair()]
const pemOf = ({ privateKey }: ReturnType<typeof pair>): string =>
  String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
let sandbox: Sandbox

function run(args: readonly string[], { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))
  const child = spawn(resolve('bin/vitrine'), args, { cwd: folder, env: { ...clean, NODE_OPTIONS: '', ...env } })
  const told = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (told.out += part))
  child.stderr.on('data', (part: Buffer) => (told.err += part))
  child.stdin.on('error', () => {}).end(input)
  return new Promise<Ran>((ok) => {
    child.once('close', (code) => {
      const isJson = /^[[{]/.test(told.out)
      ok({ ...told, code: code ?? -1, json: isJson ? JSON.parse(told.out) : undefined })
    })
  })
}

const team = ['--issuer-id', '57246542-96fe-1a63-e053-0824d0110001']

test.before(async () => {
  sandbox = await startSandbox({
    accounts: [
      { keyId: 'KNOWN00001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', publicKey: known.publicKey },
      { keyId: 'SECOND0001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', publicKey: second.publicKey },
    ],
  })
  const settings = { store: 'sqlite:v.db', masterKeysFile: 'keys.txt', upstream: { baseUrl: sandbox.url } }
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'keys.txt'), (await run(['vault', 'new-key', '--id', 'k1'])).out)
  for (const [name, key] of Object.entries({ known, second, stranger })) writeFileSync(join(folder, name), pemOf(key))
})
test.after(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

test('a connection is added from a file, from standard input and from a variable, and proved first', async () => {
  const file = await run(['connections', 'add', 'file', '--key-id', 'KNOWN00001', ...team, '--key-file', 'known'])
  assert.deepEqual([file.code, file.json.check.ok, file.json.kind], [0, true, 'hosted'], file.err)
  const input = pemOf(known).replaceAll('\n', '\\n')
  const piped = await run(['connections', 'add', 'piped', '--key-id', 'KNOWN00001', ...team, '--key-file', '-'], {
    input,
  })
  assert.equal(piped.json.fingerprint, file.json.fingerprint, piped.err)
  const env = { THE_KEY: Buffer.from(pemOf(known)).toString('base64') }
  const named = await run(['connections', 'add', 'named', '--key-id', 'KNOWN00001', ...team, '--key-env', 'THE_KEY'], {
    env,
  })
  assert.equal(named.json.fingerprint, file.json.fingerprint, named.err)
  const { json } = await run(['connections', 'list'])
  assert.deepEqual(
    json.map(({ id }: { id: string }) => id),
    ['file', 'named', 'piped'],
  )
})

test('a key that the platform does not know is not stored, unless it is to be stored untried', async () => {
  const add = ['connections', 'add', 'stranger', '--key-id', 'STRANGER01', '--key-file', 'stranger']
  const refused = await run(add)
  assert.match(refused.err, /does not accept this signing key, so nothing was stored/)
  assert.equal(refused.code, 1)
  assert.match((await run(['connections', 'show', 'stranger'])).err, /no such connection/i)
  const untried = await run([...add, '--no-check'])
  assert.deepEqual([untried.code, untried.json.check], [0, null])
  const check = await run(['connections', 'check', 'stranger'])
  assert.deepEqual([check.code, check.json.ok, check.json.code], [1, false, 'upstream_key_rejected'])
})

test('a replaced key is tried first, and the old one stays where the new one is refused', async () => {
  const before = (await run(['connections', 'show', 'file'])).json
  const refused = await run([
    'connections',
    'replace',
    'file',
    '--key-id',
    'SECOND0001',
    ...team,
    '--key-file',
    'stranger',
  ])
  assert.equal(refused.code, 1)
  assert.deepEqual((await run(['connections', 'show', 'file'])).json, before)
  const done = await run(['connections', 'replace', 'file', '--key-id', 'SECOND0001', ...team, '--key-file', 'second'])
  assert.deepEqual([done.code, done.json.keyId, done.json.check.ok], [0, 'SECOND0001', true], done.err)
  assert.equal((await run(['connections', 'check', 'file'])).json.ok, true)
})

test('a wrong key is refused with the exact reason and no part of the key', async () => {
  writeFileSync(join(folder, 'noise'), `CANARY${pemOf(known).slice(0, 90)}`)
  const add = ['connections', 'add', 'x', '--key-id', 'KNOWN00001']
  const cases: [string[], RegExp][] = [
    [[...add], /--key-file FILE \(- for standard input\) or with --key-env VARIABLE/],
    [[...add, '--key-file', 'none'], /--key-file: it cannot be read \(ENOENT\)/],
    [[...add, '--key-env', 'NOT_SET'], /there is no variable NOT_SET/],
    [
      ['connections', 'add', 'x', '--key-id', 'known00001', '--key-file', 'known'],
      /--key-id: A key id is 10 capital let/,
    ],
    [
      [...add, '--issuer-id', 'issuer', '--key-file', 'known'],
      /--issuer-id: An issuer id is a UUID, .*Users and Access >/,
    ],
    [[...add, '--key-file', 'noise'], /--private-key: The private key cannot be used/],
    [['connections', 'add', 'a b', '--key-id', 'KNOWN00001', '--key-file', 'known'], /--id: An id is 1 to 64 letters/],
    [['connections', 'add', 'file', '--key-id', 'KNOWN00001', '--key-file', 'known'], /is there already/],
    [[...add, '--key-file', 'known', '--token-scope', 'all'], /--token-scope can only be request/],
    [['connections', 'remove', 'nothing'], /no such connection/i],
  ]
  for (const [args, message] of cases) {
    const { code, out, err } = await run(args)
    assert.match(err, message)
    assert.deepEqual([code, out], [1, ''], args.join(' '))
    assert.doesNotMatch(err, /CANARY|BEGIN|^\s+at /m)
  }
})

test('F155: without the right master keys nothing is hosted, and a service does not start over what is', async () => {
  writeFileSync(join(folder, 'bare.json'), JSON.stringify({ store: 'sqlite:v.db', operatorListen: 'off' }))
  const add = [
    'connections',
    'add',
    'x',
    '--key-id',
    'KNOWN00001',
    '--key-file',
    'known',
    '--no-check',
    '--config',
    'bare.json',
  ]
  assert.match((await run(add)).err, /There is no master key, so no credential can be stored.*vitrine vault new-key/)
  const serve = await run(['serve', '--config', 'bare.json'])
  assert.equal(serve.code, 1)
  assert.match(serve.err, /holds hosted connections, and there are no master keys.*k1/)
  const before = readFileSync(join(folder, 'v.db'))
  const other = (await run(['vault', 'new-key', '--id', 'k1'])).out
  const impostor = await run(['serve', '--config', 'bare.json'], { env: { VITRINE_MASTER_KEYS: other.trim() } })
  assert.equal(impostor.code, 1)
  assert.match(impostor.err, /The master key "k1" is not the one that this store knows/)
  assert.deepEqual(readFileSync(join(folder, 'v.db')), before, 'nothing was rewritten')
})

test('the operator endpoint refuses to listen on the network without a token, and can be off', async () => {
  const settings = { store: 'sqlite:endpoint.db', listen: '127.0.0.1:0', operatorListen: '0.0.0.0:0' }
  writeFileSync(join(folder, 'endpoint.json'), JSON.stringify(settings))
  const open = await run(['serve', '--config', 'endpoint.json'])
  assert.deepEqual([open.code, open.out], [1, ''])
  assert.match(open.err, /open to the network at 0\.0\.0\.0 without a token. Set VITRINE_OPERATOR_TOKEN/)
  const weak = await run(['serve', '--config', 'endpoint.json'], { env: { VITRINE_OPERATOR_TOKEN: 'CANARY' } })
  assert.match(weak.err, /VITRINE_OPERATOR_TOKEN is not a token: a token is 22 to 512 visible/)
  assert.doesNotMatch(weak.err, /CANARY/)
})

test('the vault moves to a new master key, says where it stands, and opens with the new one alone', async () => {
  const both = join(folder, 'both.txt')
  const fresh = (await run(['vault', 'new-key', '--id', 'k2'])).out
  const old = (await run(['vault', 'status'])).json
  assert.deepEqual(old, { writes: 'k1', masterKeys: [{ id: 'k1', given: true, wraps: 4 }] })
  writeFileSync(both, fresh + readFileSync(join(folder, 'keys.txt'), 'utf8'))
  const env = { VITRINE_MASTER_KEYS_FILE: both }
  const rotated = await run(['vault', 'rotate'], { env })
  assert.deepEqual(
    [rotated.code, rotated.json.moved, rotated.json.failed, rotated.json.left],
    [0, 4, [], 0],
    rotated.err,
  )
  writeFileSync(both, fresh)
  const verified = await run(['vault', 'verify'], { env })
  assert.deepEqual([verified.code, verified.json], [0, { opened: 4, failed: [] }])
  const closed = await run(['vault', 'verify'])
  assert.equal(closed.code, 1)
  assert.equal(closed.json.failed.length, 4)
  writeFileSync(join(folder, 'keys.txt'), fresh)
})

test('the audit log lists who did what, refusals included, and is verified', async () => {
  const { json } = await run(['audit', '--limit', '100'])
  const acts = json.map(({ act, outcome }: { act: string; outcome: string }) => `${act} ${outcome}`)
  for (const act of [
    'connections.create done',
    'connections.create denied',
    'connections.replace done',
    'vault.rotated done',
  ])
    assert.ok(acts.includes(act), act)
  assert.match(json[0].who, /^cli:/)
  const denied = await run(['audit', '--denied', '--act', 'connections'])
  assert.ok(denied.json.length > 3 && denied.json.every(({ outcome }: { outcome: string }) => outcome === 'denied'))
  assert.equal((await run(['audit', '--verify'])).json.brokenAt, null)
})

test('the audit log can be cut to a key and to a time, and written as JSON, CSV or a table', async () => {
  const hostile = '=HYPERLINK("http://x";"y")'
  const made = await run(['keys', 'create', '--name', hostile, '--connections', 'file', '--expires', '1d'])
  const id = made.out.split('_')[2] ?? ''
  await run(['keys', 'revoke', id])
  const of = (...args: string[]) => run(['audit', '--key', id, ...args])

  const { json } = await of('--from', '1h', '--to', new Date(Date.now() + 60_000).toISOString())
  assert.deepEqual(
    json.map(({ act }: { act: string }) => act),
    ['keys.revoke', 'keys.create'],
  )
  assert.match(json[0].at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const csv = await of('--output', 'csv')
  const [head, revoked = '', created = '', end] = csv.out.split('\r\n')
  assert.deepEqual([csv.code, head, end], [0, 'seq,at,who,from,act,target,outcome,requestId,details,hash', ''])
  assert.match(revoked, new RegExp(`^\\d+,${json[0].at},cli:\\w+,.*,keys\\.revoke,${id},done,,\\{\\},[0-9a-f]{64}$`))
  assert.ok(created.includes(`"{""name"":""=HYPERLINK`), 'a cell that begins with a brace is no formula')

  const table = await of('--output', 'table')
  assert.match(table.out, /^SEQ +WHEN +WHO +FROM +ACT +TARGET/)
  const cut = await of('--limit', '1')
  assert.equal(cut.json.length, 1)
  assert.match(cut.err, new RegExp(`newest 1 that match; older ones: --before ${json[0].seq}`))
  assert.deepEqual((await of('--before', String(json[0].seq))).json.length, 1)
})

test('an audit log without matching lines is an answer, and no failure; a wrong option is one', async () => {
  const nobody = 'ABCDEFGHIJKL'
  for (const [output, out] of [
    ['json', '[]\n'],
    ['csv', 'seq,at,who,from,act,target,outcome,requestId,details,hash\r\n'],
    ['table', ''],
  ] as const) {
    const none = await run(['audit', '--key', nobody, '--output', output])
    assert.deepEqual([none.code, none.out, none.err], [0, out, 'No line of the audit log matches.\n'], output)
  }
  const wrong: [string[], RegExp][] = [
    [['--key', 'vtr_live_CANARY'], /--key is the id of a facade key/],
    [['--from', 'yesterday'], /--from must be a time such as 24h/],
    [['--to', '2027-02-31'], /--to must be a time/],
    [['--from', '1h', '--to', '2h'], /--from is not before --to/],
    [['--output', 'xml'], /Allowed choices are table, json, csv/],
  ]
  for (const [args, message] of wrong) {
    const { code, out, err } = await run(['audit', ...args])
    assert.deepEqual([code, out], [1, ''], args.join(' '))
    assert.match(err, message)
    assert.doesNotMatch(err, /CANARY/)
  }
})

test('reroll: the successor has the same grants, and the old key ends after the overlap', async () => {
  const made = await run([
    'keys',
    'create',
    '--name',
    'ci',
    '--connections',
    'file',
    '--groups',
    'apps',
    '--note',
    'build farm',
  ])
  const id = made.out.split('_')[2] ?? ''
  const rerolled = await run(['keys', 'reroll', id, '--overlap', '2h'])
  assert.match(rerolled.out, /^vtr_test_\w+\n$/)
  const next = (await run(['keys', 'show', rerolled.out.split('_')[2] ?? ''])).json
  assert.deepEqual([next.name, next.note, next.connections, next.replaces], ['ci', 'build farm', ['file'], id])
  const old = (await run(['keys', 'show', id])).json
  const hours = (Date.parse(old.expiresAt) - Date.now()) / 3_600_000
  assert.ok(hours > 1.9 && hours <= 2)
  assert.match((await run(['keys', 'reroll', id])).err, /already has a successor/)
  const third = await run(['keys', 'reroll', next.id, '--overlap', '0'])
  assert.equal(third.code, 0)
  assert.equal((await run(['keys', 'show', next.id])).json.state, 'revoked')
})

test('reroll --expires: a key that is about to end gets a successor that lives on; without it, the end stays', async () => {
  const make = ['keys', 'create', '--name', 'short', '--connections', 'file', '--expires', '2d']
  const old = (await run(['keys', 'show', (await run(make)).out.split('_')[2] ?? ''])).json
  const kept = await run(['keys', 'reroll', old.id])
  assert.ok(kept.err.includes(`It expires at ${old.expiresAt} as that one would have (--expires sets another end).`))
  const second = (await run(['keys', 'show', kept.out.split('_')[2] ?? ''])).json
  assert.equal(second.expiresAt, old.expiresAt)
  for (const [wish, message] of [
    ['2020-01-31', /expires: lies in the past/],
    ['soon', /expires: must be a time such as 90d/],
  ] as const) {
    const refused = await run(['keys', 'reroll', second.id, '--expires', wish])
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, message)
  }
  const longer = await run(['keys', 'reroll', second.id, '--expires', '90d'])
  const third = (await run(['keys', 'show', longer.out.split('_')[2] ?? ''])).json
  assert.ok(Math.abs(Date.parse(third.expiresAt) - Date.parse(third.createdAt) - 90 * 86_400_000) < 1_000)
  assert.ok(longer.err.includes(`It expires at ${third.expiresAt}. It is shown`), longer.err)
  const endless = await run(['keys', 'reroll', third.id, '--expires', 'never'])
  assert.equal((await run(['keys', 'show', endless.out.split('_')[2] ?? ''])).json.expiresAt, null)
  assert.match(endless.err, /It does not expire\./)
})

test('a removed connection is gone, and the store is sound', async () => {
  const named = (await run(['keys', 'create', '--name', 'nightly', '--connections', 'piped'])).out.split('_')[2] ?? ''
  assert.deepEqual((await run(['connections', 'show', 'piped'])).json.keys, [{ id: named, name: 'nightly' }])
  const { code: gone, err } = await run(['connections', 'remove', 'piped'])
  assert.equal(gone, 0)
  assert.ok(err.includes(`Keys that named piped do not read it any more: nightly (${named}).`), err)
  const shown = await run(['keys', 'show', named])
  assert.deepEqual(shown.json.endedConnections, ['piped'])
  assert.match(shown.err, /It names piped, which was removed or belongs to another account now.*Create another key/)
  assert.match((await run(['connections', 'check', 'piped'])).err, /no such connection/i)
  const { code, json } = await run(['store', 'check'])
  assert.deepEqual([code, json.every(({ ok }: { ok: boolean }) => ok)], [0, true])
  const { json: migrated } = await run(['store', 'migrate'])
  assert.equal(migrated.from, migrated.to)
  const password = await run(['store', 'copy', '--to', 'postgres://me:secret@127.0.0.1/x'])
  assert.match(password.err, /other users of this machine can read a password/)
  assert.doesNotMatch(password.err, /secret/)
})

test('a connection of the settings is shown and tried, and is not changed from here', async () => {
  const file = join(folder, 'managed.json')
  writeFileSync(
    file,
    JSON.stringify({
      store: 'sqlite:v.db',
      masterKeysFile: 'keys.txt',
      upstream: { baseUrl: sandbox.url },
      connections: {
        kept: { keyId: 'KNOWN00001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'known' },
        broken: { keyId: 'KNOWN00001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'noise' },
      },
    }),
  )
  const { json } = await run(['connections', 'list', '--config', file])
  const kept = json.find(({ id }: { id: string }) => id === 'kept')
  assert.deepEqual([kept.kind, kept.fingerprint.length], ['managed', 64])
  assert.deepEqual(kept.source, { settings: 'managed.json', privateKeyFile: 'known' })
  const broken = json.find(({ id }: { id: string }) => id === 'broken')
  assert.deepEqual([broken.fingerprint, broken.source.privateKeyFile], [null, null], 'it may be a secret itself')
  const named = { kept: { keyId: 'KNOWN00001', privateKeyFile: 'known' } }
  const { json: shown } = await run(['connections', 'show', 'kept', '--config', file], {
    env: { VITRINE_CONNECTIONS: JSON.stringify(named) },
  })
  assert.deepEqual(shown.source, { settings: 'VITRINE_CONNECTIONS', privateKeyFile: 'known' })
  assert.equal((await run(['connections', 'check', 'kept', '--config', file])).json.ok, true)
  assert.match((await run(['connections', 'remove', 'kept', '--config', file])).err, /defined in the settings/)
  const { err } = await run(['connections', 'check', 'broken', '--config', file])
  assert.match(err, /broken\.privateKeyFile/)
  assert.doesNotMatch(err, /^\s+at /m)
})
