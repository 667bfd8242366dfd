// The part of the Redis interface that tests of stored data need, over a plain client without deadlines.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Redis as Client } from 'ioredis'
import type { Redis } from '../../../base/redis/redis.ts'
import { redisUrl } from '../../../base/test/redis.ts'

export type PlainRedis = Pick<Redis, 'run' | 'name' | 'isUp' | 'state' | 'whenBack'> & { readonly client: Client }

export function plainRedis(t: TestContext, installation = randomBytes(6).toString('hex'), url = redisUrl): PlainRedis {
  const client = new Client(url)
  t.after(() => client.disconnect())
  return {
    client,
    run: ({ text }, names, values) => client.eval(text, names.length, ...names, ...values),
    name: (...parts) => ['vitrine', installation, ...parts].join(':'),
    isUp: () => true,
    state: () => ({ place: '', up: true, since: 0 }),
    whenBack: () => {},
  }
}
