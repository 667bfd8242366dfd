// Passwords in files, as container platforms and systemd provide them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { withPasswords } from '../../src/commands/passwords.ts'
import { postgresAddress } from '../../../base/store/postgres-address.ts'
import { redisAddress } from '../../../base/redis/redis-address.ts'
import { readSettings } from '../../src/settings.ts'

const strange = 'p%41 ss:w/o@r?d#\'"ü'

function opener(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-passwords-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'strange'), `${strange}\n`)
  writeFileSync(join(folder, 'empty'), '\n')
  writeFileSync(join(folder, 'two'), 'one\ntwo\n')
  return (file: Record<string, unknown>) => withPasswords(readSettings(file, {}), folder)
}

const store = 'postgres://vitrine@db.example/vitrine?sslmode=verify-full'

test('a password of any characters is read from its file without the line end, for the store and for Redis', (t) => {
  const open = opener(t)
  const settings = open({
    store,
    storePasswordFile: 'strange',
    redis: 'rediss://vitrine@cache.example:6380/2',
    redisPasswordFile: 'strange',
  })
  const config = postgresAddress(settings.store, 'vitrine').config(1_000)
  const { password } = new URL(config.connectionString ?? '')
  assert.equal(decodeURIComponent(password), strange)
  assert.equal(new URL(settings.store).search, '?sslmode=verify-full')
  const redis = redisAddress(settings.redis ?? '')
  assert.deepEqual([redis.username, redis.password, redis.db, redis.tls], ['vitrine', strange, 2, true])
  const shown = [postgresAddress(settings.store, 'vitrine').place, redis.place]
  assert.deepEqual(shown, ['postgres://vitrine@db.example/vitrine', 'rediss://vitrine@cache.example:6380/2'])
})

test('without a password file the addresses stay unchanged', (t) => {
  assert.equal(opener(t)({ store }).store, store)
})

test('an unusable or contradictory password file stops the start with the name of its setting', (t) => {
  const open = opener(t)
  const rows: [file: Record<string, unknown>, words: RegExp][] = [
    [{ storePasswordFile: 'strange' }, /^storePasswordFile: it is the password of store, which is not postgres:/],
    [{ store: 'postgres:///vitrine', storePasswordFile: 'strange' }, /^storePasswordFile: .* not postgres:/],
    [{ redisPasswordFile: 'strange' }, /^redisPasswordFile: .* not redis:/],
    [{ store: 'postgres://v:x@h/d', storePasswordFile: 'strange' }, /^storePasswordFile: store has a password already/],
    [{ store: 'postgres://h/d?password=x', storePasswordFile: 'strange' }, /has a password already/],
    [{ redis: 'redis://:x@h', redisPasswordFile: 'strange' }, /^redisPasswordFile: redis has a password already/],
    [{ store, storePasswordFile: 'absent' }, /^storePasswordFile: .*absent cannot be read \(ENOENT\)/],
    [{ store, storePasswordFile: 'empty' }, /must hold a password, and nothing else/],
    [{ store, storePasswordFile: 'two' }, /must hold a password, and nothing else/],
  ]
  for (const [file, words] of rows) {
    const refusal = (): unknown => open(file)
    assert.throws(refusal, (error: Error) => {
      assert.match(error.message, words)
      assert.ok(!error.message.includes(strange) && error.name === 'UserError')
      return true
    })
  }
})
