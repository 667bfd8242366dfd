import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { routes } from '../../src/catalogue/index.ts'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { makeKey } from '../../src/keys/facade-key.ts'
import { openCore } from '../../src/core/core.ts'
import { readSettings } from '../../src/settings.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { findCanaries, keyCanaries, pemCanaries, secretCanaries } from '../support/canaries.ts'
import { send } from '../support/scripted-platform.ts'
import { privateKey, startScripted, tester } from '../support/service.ts'
import { makeAccount } from './accounts.ts'
import { askBare } from './normalized-answer.ts'
import { withChecksum } from './with-checksum.ts'

const operatorToken = 'an-operator-token-of-the-tests-0123456789'
const masterKeys = makeMasterKey('k1')
const all = ['acme', 'hosted', 'gone', 'solo', 'never']

interface Scene {
  readonly store?: string
  readonly now?: () => number
}

/** no event of a service may hold one of its keys or a signing key */
function watchEvents(t: TestContext, { service }: Awaited<ReturnType<typeof startScripted>>): (key: string) => void {
  const keys = [service.key]
  t.after(() => {
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const canaries = [
      ...keys.flatMap((key, at) => keyCanaries(`facade key ${at}`, key)),
      ...pemCanaries('the signing key', pem),
      ...secretCanaries("the operator's token", operatorToken),
      ...secretCanaries('the master key', masterKeys),
    ]
    assert.ok(service.events.length > 100)
    assert.deepEqual(findCanaries(JSON.stringify(service.events), canaries), [])
  })
  return (key) => void keys.push(key)
}

/** hosted: `hosted`, `alien`; removed: `gone` hosted, `solo` managed; never there: `never` */
async function stage(t: TestContext, { store = 'sqlite:v.db', now = Date.now }: Scene = {}) {
  const file = { store, operatorListen: '127.0.0.1:0', rateLimit: { perMinute: 1_000_000 } }
  const secrets = { masterKeys, operatorToken }
  const scripted = await startScripted((_, res) => send(res, { errors: [{ code: 'NOT_FOUND' }] }, {}, 404), {
    file,
    secrets,
    now,
  })
  t.after(scripted.close)
  const watch = watchEvents(t, scripted)
  const { service, platform } = scripted
  const { folder } = service
  const upstream = { baseUrl: platform.url }
  const office = await openCore(readSettings({ store, upstream }, {}), { folder, secrets, observe: () => {}, now })
  t.after(office.close)
  for (const id of ['hosted', 'alien', 'gone']) {
    const { keyId, pem } = makeAccount(id, `KEY-${id}`)
    await office.connectionAdmin.add({ id, keyId, privateKey: pem, check: false }, tester)
  }
  // opened before it is removed
  await service.ask('/v1/connections/gone/apps')
  await service.ask('/v1/connections/solo/apps')
  await office.connectionAdmin.remove('gone', tester)
  const managed = Object.fromEntries(['acme', 'other'].map((id) => [id, { keyId: 'K', privateKeyFile: 'key.p8' }]))
  await service.running.reload(() => readSettings({ ...file, upstream, connections: managed }, {}))
  assert.equal(service.events.at(-1)?.kind, 'reloaded')
  // how long a record removed by another process may still be cached
  if (store.startsWith('postgres')) await pause(510)
  platform.calls.length = 0
  return { ...scripted, office, watch }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const below = (id: string, path: string) => `/v1/connections/${id}${path}`

const absent = {
  'hosted, and not for this key': 'alien',
  'managed, and not for this key': 'other',
  'hosted, and removed': 'gone',
  'managed, and removed': 'solo',
  'granted, and never there': 'never',
  'neither granted nor there': 'nobody',
  'of no possible form': '%2A',
  'a member of every object': '__proto__',
  'an empty letter': 'a%00b',
}
const queries = ['', '?limit=1', '?nope=1', '?limit=x&cursor=y&limit=1', '?%zz', '?cursor=AAAA']

async function askForAbsent(t: TestContext, store?: string) {
  const { service, platform, watch } = await stage(t, store === undefined ? {} : { store })
  const key = await service.issue({ connections: all })
  const everywhere = await service.issue({ connections: ['*'] })
  for (const one of [key, everywhere]) watch(one)
  const from = service.events.length
  for (const method of ['GET', 'HEAD']) {
    const seen = new Map<string, string>()
    for (const { example } of routes)
      for (const query of store === undefined ? queries : queries.slice(0, 2))
        for (const [what, id] of Object.entries(absent)) {
          const granted = !/not for this key/.test(what)
          const headers = bearer(granted && query === '' ? everywhere : key)
          const path = `${below(id, example.split('?', 1)[0] ?? '')}${query}`
          seen.set((await askBare(service.port, path, { method, headers })).whole, `${method} ${path} ${what}`)
        }
    assert.equal(seen.size, 1, [...seen].map(([whole, which]) => `${which}\n${whole}`).join('\n\n'))
    assert.match([...seen.keys()].join(''), /^1\.1 404 /)
  }
  assert.equal(platform.calls.length, 0)
  for (const event of service.events.slice(from))
    assert.ok(event.kind !== 'answered' || event.connection === undefined, 'the log names none of them')
}

test('absent, foreign, removed and never created connections get byte-identical answers on every route', (t) =>
  askForAbsent(t))

test(
  'absent, foreign, removed and never created connections get byte-identical answers over PostgreSQL',
  { skip: noPostgres },
  async (t) => {
    const database = await freshDatabase()
    t.after(database.drop)
    await askForAbsent(t, database.url)
  },
)

test('an invalid key gets byte-identical answers, whatever is wrong with it', async (t) => {
  let now = Date.now()
  const { service, office, platform, watch } = await stage(t, { now: () => now })
  const issue = (more = {}) => office.keys.issue({ name: 'x', connections: ['*'], ...more }, tester)
  const [live, revoked, expired, old] = [
    await issue(),
    await issue(),
    await issue({ expiresAt: now + 5 }),
    await issue(),
  ]
  await office.keys.revoke(revoked.shown.id, tester)
  const successor = await office.keys.reroll(old.shown.id, 5, tester)
  now += 5
  for (const { key } of [live, revoked, expired, old, successor]) watch(key)
  const [, kind, id, secret = ''] = live.key.split('_')
  assert.equal(withChecksum(`vtr_${kind}_${id}_${secret}`), live.key)
  const wrong = {
    unknown: makeKey('test').key,
    'of a live platform': makeKey('live').key,
    revoked: revoked.key,
    expired: expired.key,
    'taken over from, and ended': old.key,
    mistyped: live.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
    'of a wrong secret': withChecksum(`vtr_${kind}_${id}_${secret.split('').toReversed().join('')}`),
    'of the other kind': withChecksum(`vtr_live_${id}_${secret}`),
    'with the id of another': withChecksum(`vtr_${kind}_${successor.shown.id}_${secret}`),
    "the operator's token": operatorToken,
    'the hash of a live key': Buffer.from(live.key).toString('hex').slice(0, 64),
    nothing: '-',
    'very long': 'x'.repeat(9_000),
  }
  const asked = ['GET', 'HEAD', 'POST'].flatMap((method) =>
    [below('acme', '/apps'), below('never', '/apps?nope=1'), '/v1/whoami', '/v1/nothing', '/v1/%zz'].map((path) => ({
      method,
      path,
    })),
  )
  for (const method of ['GET', 'HEAD', 'POST']) {
    const seen = new Map<string, string>()
    for (const { path } of asked.filter((one) => one.method === method))
      for (const [what, key] of Object.entries(wrong))
        seen.set((await askBare(service.port, path, { method, headers: bearer(key) })).whole, `${path} ${what}`)
    assert.equal(seen.size, 1, [...seen].map(([whole, which]) => `${which}\n${whole}`).join('\n\n'))
    assert.match([...seen.keys()].join(''), /^1\.1 401 /)
  }
  assert.equal(platform.calls.length, 0)
  for (const { key } of [live, successor])
    assert.notEqual((await askBare(service.port, '/v1/whoami', { headers: bearer(key) })).status, 401)
})

test('403 is only for keys that may know the connection, and 404 for all others', async (t) => {
  const { service, platform } = await stage(t)
  const there = new Set(['acme', 'other', 'hosted', 'alien'])
  const groups = [...new Set(routes.map(({ group }) => group))]
  const grants = [['acme'], ['hosted'], ['gone', 'never', 'solo'], ['acme', 'alien', 'gone'], ['*']]
  const tally = { refused: 0, hidden: 0, read: 0 }
  for (const connections of grants)
    for (const granted of [groups.slice(0, 1), groups.slice(1), groups]) {
      const headers = bearer(await service.issue({ connections, groups: granted }))
      for (const { example, group } of routes)
        for (const id of [...there, 'gone', 'solo', 'never']) {
          platform.calls.length = 0
          const { status, code } = await askBare(service.port, below(id, example), { headers })
          const inside = there.has(id) && (connections.includes('*') || connections.includes(id))
          const why = [connections, granted, id, group].join(' ')
          if (!inside) assert.deepEqual([status, code], [404, 'connection_not_found'], why)
          else if (!granted.includes(group)) assert.deepEqual([status, code], [403, 'group_not_granted'], why)
          else assert.ok(!['connection_not_found', 'group_not_granted'].includes(String(code)) && status !== 403, why)
          tally[inside ? (granted.includes(group) ? 'read' : 'refused') : 'hidden']++
          assert.equal(platform.calls.length > 0, inside && granted.includes(group), why)
        }
    }
  for (const [which, count] of Object.entries(tally)) assert.ok(count > 100, `${which}: ${count}`)
})
