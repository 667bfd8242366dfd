// Starts that must fail: each ends soon, with one message that says why, and leaves nothing behind. `serve --check` finds the
// same without a start. Long because each wrong start has its lines here.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import test, { type TestContext } from 'node:test'
import { makePair } from '../stored-connections/program.ts'
import { freePort } from '../../../base/test/free-port.ts'

interface Place {
  readonly folder: string
  /** two free ports, and one in use */
  readonly port: number
  readonly operatorPort: number
  readonly taken: number
}

interface Wrong {
  readonly what: string
  /** settings beside the good ones, or the whole text of the file */
  readonly file?: (place: Place) => object | string
  readonly env?: Record<string, string>
  /** other files in the folder of the settings */
  readonly make?: (place: Place) => void
  readonly says: RegExp
  /** the check that fails, and what it says; none: it is a usage of the command that is wrong */
  readonly finds: readonly [id: string, cause: RegExp]
  /** the service starts all the same */
  readonly starts?: true
}

const account = (privateKeyFile: string) => ({ connections: { acme: { keyId: 'K', privateKeyFile } } })

const rows: readonly Wrong[] = [
  {
    what: 'a file that is no JSON',
    file: () => '{',
    says: /vitrine\.json:1:2: the settings file is not JSON: the text ends, and a name in double quotes is expected here\.$/m,
    finds: ['settings', /is not JSON/],
  },
  {
    what: 'a setting that does not exist',
    file: () => ({ lissen: 'x' }),
    says: /vitrine\.json:1:\d+: lissen: there is no such setting/m,
    finds: ['settings', /vitrine\.json:1:\d+: lissen: there is no such setting$/],
  },
  {
    what: 'a bad address of Redis',
    file: () => ({ redis: 'http://localhost' }),
    says: /vitrine\.json:1:\d+: redis: must be redis:/m,
    finds: ['settings', /vitrine\.json:1:\d+: redis: must be redis:/],
  },
  {
    what: 'a taken port',
    file: ({ taken }) => ({ listen: `127.0.0.1:${taken}` }),
    says: /EADDRINUSE/,
    finds: ['doors', /^listen 127\.0\.0\.1:\d+: another program listens there$/],
  },
  {
    what: 'a taken port of the operator endpoint',
    file: ({ taken }) => ({ operatorListen: `127.0.0.1:${taken}` }),
    says: /EADDRINUSE/,
    finds: ['doors', /^operatorListen 127\.0\.0\.1:\d+: another program/],
  },
  {
    what: 'two endpoints at one port, one of them at all addresses',
    file: ({ port }) => ({ listen: `0.0.0.0:${port}`, operatorListen: `127.0.0.1:${port}` }),
    says: /EADDRINUSE/,
    finds: ['doors', /^listen and operatorListen are the same address$/],
  },
  {
    what: 'an endpoint that is open to the network',
    file: () => ({ operatorListen: '0.0.0.0:0' }),
    says: /^vitrine: operatorListen: .* without a token/m,
    finds: ['operator-token', /is open to the network/],
  },
  {
    what: 'a token that is none',
    env: { VITRINE_OPERATOR_TOKEN: 'short' },
    says: /VITRINE_OPERATOR_TOKEN is not a token/,
    finds: ['operator-token', /is not a token/],
  },
  {
    what: 'a provider of operators without roles',
    file: () => ({
      operatorListen: '127.0.0.1:0',
      operatorUrl: 'https://console.example',
      oidc: { issuer: 'https://id.example', clientId: 'a' },
    }),
    env: { VITRINE_OIDC_CLIENT_SECRET: 'secret' },
    says: /^vitrine: oidc\.roles: is required/m,
    finds: ['sign-in', /^oidc\.roles: is required/],
  },
  {
    what: 'a name that could act on the terminal',
    file: () => ({ 'a\u001b]0;x\u0007b\u202e': 1 }),
    says: /vitrine\.json:1:\d+: a\ufffd]0;x\ufffdb\ufffd: there is no such setting/m,
    finds: ['settings', /there is no such setting/],
  },
  {
    what: 'a store that is away',
    file: () => ({ store: 'postgres://vitrine:secret-word@127.0.0.1:1/vitrine' }),
    // a server that starts later is waited for
    says: /store_awaited.*ECONNREFUSED/,
    starts: true,
    finds: ['store', /ECONNREFUSED/],
  },
  {
    what: 'a store of a newer version',
    make: ({ folder }) => newer(join(folder, 'v.db')),
    says: /newer/,
    finds: ['schema', /a newer version/],
  },
  {
    what: 'a store that is none',
    make: ({ folder }) => writeFileSync(join(folder, 'v.db'), 'no store'.repeat(200)),
    says: /v\.db/,
    finds: ['store', /not a database/],
  },
  {
    what: 'a folder that cannot be written',
    file: () => ({ store: 'sqlite:key.p8/v.db' }),
    says: /key\.p8/,
    finds: ['store', /key\.p8/],
  },
  {
    what: 'master keys that are none',
    env: { VITRINE_MASTER_KEYS: 'k1:c2hvcnQ=' },
    says: /^vitrine: VITRINE_MASTER_KEYS: /m,
    finds: ['master-keys', /^VITRINE_MASTER_KEYS: /],
  },
  {
    what: 'a file of master keys that is not there',
    file: () => ({ masterKeysFile: 'none.txt' }),
    says: /masterKeysFile .*ENOENT/,
    finds: ['master-keys', /ENOENT/],
  },
  {
    what: 'a key file that is not there',
    file: () => account('none.p8'),
    says: /none\.p8.*ENOENT/,
    finds: ['key-file', /ENOENT/],
  },
  {
    what: 'a key file that cannot be read',
    file: () => account('folder'),
    make: ({ folder }) => mkdirSync(join(folder, 'folder')),
    says: /folder.*EISDIR/,
    finds: ['key-file', /it is a folder/],
  },
  {
    what: 'a Redis that is away',
    file: () => ({ redis: 'redis://:secret-word@127.0.0.1:1' }),
    says: /redis_away/,
    finds: ['redis', /ECONNREFUSED/],
    starts: true,
  },
]

function newer(file: string) {
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE secrets (name TEXT, value BLOB); PRAGMA user_version = 99')
  db.close()
}

/** the longest that a failing start may take on a busy machine */
const mostMs = 30_000

async function run(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_') && name !== 'NODE_OPTIONS')
  const child = spawn(resolve('bin/vitrine'), ['serve', ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part))
  child.stderr.on('data', (part: Buffer) => {
    err += part
    // this start should fail, so stop it; a second SIGTERM would skip the orderly end
    if (/"kind":"(?:started|store_awaited)"/.test(err) && !child.killed) child.kill('SIGTERM')
  })
  const late = setTimeout(() => child.kill('SIGKILL'), mostMs)
  const [code] = await once(child, 'close')
  clearTimeout(late)
  return { code: code as number | null, out, err }
}

async function place(t: TestContext): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-wrong-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port: taken } = other.address() as { port: number }
  return { folder, port: await freePort(), operatorPort: await freePort(), taken }
}

async function prepare(t: TestContext, { file, make }: Wrong): Promise<string> {
  const own = await place(t)
  const { folder, port, operatorPort } = own
  writeFileSync(join(folder, 'key.p8'), makePair().pem, { mode: 0o600 })
  const good = {
    listen: `127.0.0.1:${port}`,
    operatorListen: `127.0.0.1:${operatorPort}`,
    store: 'sqlite:v.db',
    ...account('key.p8'),
    drainSeconds: 0,
  }
  make?.(own)
  const given = file?.(own) ?? {}
  const text = typeof given === 'string' ? given : JSON.stringify({ ...good, ...given })
  writeFileSync(join(folder, 'vitrine.json'), text, { mode: 0o600 })
  return folder
}

async function start(t: TestContext, wrong: Wrong) {
  const { code, err } = await run(await prepare(t, wrong), [], wrong.env)
  assert.equal(code, wrong.starts ? 0 : 1, `${wrong.what}: ${err}`)
  assert.match(err, wrong.says, wrong.what)
  assert.ok(!err.includes('secret-word') && !/^ +at /m.test(err), err)
  const said = err.split('\n').filter((line) => line.startsWith('vitrine: '))
  assert.equal(said.length, wrong.starts ? 0 : 1, `${wrong.what}: one message, and not ${said.join(' ')}`)
}

async function check(t: TestContext, wrong: Wrong) {
  const folder = await prepare(t, wrong)
  const before = readdirSync(folder)
  const { code, out, err } = await run(folder, ['--check'], wrong.env)
  assert.equal(code, 1, `${wrong.what}: ${err}`)
  const { ok, checks } = JSON.parse(out)
  const failed = checks.filter(({ state }: { state: string }) => state === 'fail')
  assert.deepEqual([ok, failed.map(({ id }: { id: string }) => id)], [false, [wrong.finds[0]]], wrong.what)
  assert.match(failed[0].cause, wrong.finds[1], wrong.what)
  assert.ok(failed[0].cure || wrong.what === 'a token that is none', `${wrong.what}: ${JSON.stringify(failed[0])}`)
  assert.ok(!out.includes('secret-word'))
  assert.deepEqual(readdirSync(folder), before, `${wrong.what}: nothing is made`)
}

/** few at a time, or each would wait for all others */
async function few(acts: readonly (() => Promise<void>)[]) {
  const left = [...acts]
  const lane = async () => {
    for (let act = left.shift(); act; act = left.shift()) await act()
  }
  await Promise.all([lane(), lane(), lane()])
}

test('a start that must fail ends soon, with one message that says why', { timeout: 120_000 }, (t) =>
  few(rows.map((wrong) => () => start(t, wrong))),
)

test('serve --check reports problems before a start, and changes nothing', { timeout: 120_000 }, (t) =>
  few(rows.map((wrong) => () => check(t, wrong))),
)

test('serve --check says all that is wrong at once, and 0 where nothing is', { timeout: 60_000 }, async (t) => {
  const good = await prepare(t, { what: 'none', says: /x/, finds: ['', /x/] })
  const well = await run(good, ['--check'])
  assert.deepEqual([well.code, JSON.parse(well.out).ok], [0, true], well.out)
  assert.ok(!existsSync(join(good, 'v.db')))
  const file = () => ({ ...account('none.p8'), masterKeysFile: 'none.txt', redis: 'redis://127.0.0.1:1' })
  const ill = await prepare(t, { what: 'many', file, says: /x/, finds: ['', /x/] })
  const { code, out } = await run(ill, ['--check'], { VITRINE_OPERATOR_TOKEN: 'short' })
  const failed = JSON.parse(out).checks.filter(({ state }: { state: string }) => state === 'fail')
  const ids = ['operator-token', 'master-keys', 'redis', 'key-file']
  assert.deepEqual([code, failed.map(({ id }: { id: string }) => id)], [1, ids])
  assert.equal((await run(good, ['--chekc'])).code, 2)
})
