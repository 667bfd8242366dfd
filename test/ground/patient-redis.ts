// What is needed of Redis where a test is about what is kept there, and not about how long anybody waits for it.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { Redis as Client } from 'ioredis'
import type { Redis } from '../../src/replicas/redis.ts'
import { redisUrl } from './redis.ts'

export type PatientRedis = Pick<Redis, 'run' | 'name' | 'isUp' | 'state'> & { readonly client: Client }

export function patientRedis(
  t: TestContext,
  installation = randomBytes(6).toString('hex'),
  url = redisUrl,
): PatientRedis {
  const client = new Client(url)
  t.after(() => client.disconnect())
  return {
    client,
    run: ({ text }, names, values) => client.eval(text, names.length, ...names, ...values),
    name: (...parts) => ['vitrine', installation, ...parts].join(':'),
    isUp: () => true,
    state: () => ({ place: '', up: true, since: 0 }),
  }
}
