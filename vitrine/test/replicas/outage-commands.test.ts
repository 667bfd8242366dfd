// The real command line, beside services that read on while their database is away.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { makeInstallation } from '../stored-connections/program.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { markStoreIn } from '../../src/replicas/revocation-mark-redis.ts'
import { openRedis } from '../../../base/redis/redis.ts'
import { openStore } from '../../src/store/open.ts'
import { freePort } from '../../../base/test/free-port.ts'

async function markOf(database: string) {
  const store = await openStore(database)
  const installation = Buffer.from(await store.secret('installation'))
    .toString('hex')
    .slice(0, 16)
  await store.close()
  const redis = await openRedis({
    url: redisUrl,
    prefix: ['vitrine', installation],
    observe: () => {},
    steady: () => performance.now(),
  })
  const mark = await markStoreIn(redis).read(createHash('sha256').update(installation).digest('hex'))
  await redis.close()
  return mark
}

const idIn = (key: string): string => key.trim().split('_')[2] ?? ''

test(
  'a command publishes its revocations, or reports that it could not',
  { skip: noPostgres || noRedis },
  async (t) => {
    const database = await freshDatabase()
    t.after(database.drop)
    const settings = { store: database.url, redis: redisUrl }
    const one = await makeInstallation('http://127.0.0.1:1', settings)
    const mute = await makeInstallation('http://127.0.0.1:1', {
      ...settings,
      redis: `redis://127.0.0.1:${await freePort()}`,
    })
    t.after(() => Promise.all([one.close(), mute.close()]))
    const make = async () => idIn((await one.command('keys', 'create', '--name', 'k', '--connections', '*')).out)
    const [first, second] = [await make(), await make()]
    const before = await markOf(database.url)
    const told = await one.command('keys', 'revoke', first)
    assert.deepEqual([told.code, told.err.trim()], [0, `Key ${first} is revoked.`])
    assert.notEqual(await markOf(database.url), before)

    const stood = await markOf(database.url)
    const untold = await mute.command('keys', 'revoke', second)
    assert.equal(untold.code, 0)
    assert.match(untold.err, /is revoked\.\nRedis could not be reached\. .* until 20\d\d-\S+Z at the latest\./)
    assert.equal(await markOf(database.url), stood)
    // again, where Redis is reachable: the key was revoked before, and now every replica learns of it
    assert.match((await one.command('keys', 'revoke', second)).err, /^Key \S+ was revoked before\.$/m)
    assert.notEqual(await markOf(database.url), stood)
  },
)
