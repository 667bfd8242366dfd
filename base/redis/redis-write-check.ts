// The write that shows whether replicas can use a Redis: with one that answers and refuses writes, messages would be lost and
// reads be old.
import type { RedisClient } from './redis-client.ts'
import { type Script, script } from './script.ts'

/** Every command in use, so that a user who lacks one is found early. SET first: only SET reports full memory. */
export const everyCommand: Script = script(`
  local name = KEYS[1]
  redis.call('SET', name, '1', 'PX', 1000)
  redis.call('GET', name) redis.call('MGET', name) redis.call('EXISTS', name) redis.call('PTTL', name)
  redis.call('INCRBY', name, 1) redis.call('SETRANGE', name, 0, '') redis.call('DEL', name)
  redis.call('HSET', name, 'a', '1') redis.call('PEXPIRE', name, 1000)
  redis.call('HGET', name, 'a') redis.call('HMGET', name, 'a') redis.call('HEXISTS', name, 'a') redis.call('HDEL', name, 'a')
  redis.call('ZADD', name, 1, 'a') redis.call('PEXPIREAT', name, redis.call('TIME')[1] * 1000 + 1000)
  redis.call('ZCARD', name) redis.call('ZSCORE', name, 'a') redis.call('ZRANGE', name, 0, 0)
  redis.call('ZRANGEBYSCORE', name, 0, 1) redis.call('ZREMRANGEBYSCORE', name, 2, 3)
  redis.call('ZREM', name, 'b') redis.call('ZPOPMIN', name)
  return 1`)

/** whether it takes writes; rejects with its refusal. Any other text answers another question. */
export async function checkWritable(client: RedisClient, name: string): Promise<boolean> {
  const [pong, ok] = await Promise.all([
    client.call('PING'),
    // on Redis 6 a script's refusal has no code of its own
    client.call('SET', name, '1', 'PX', 1_000),
    client.run(everyCommand, [name], []),
  ])
  return pong === 'PONG' && ok === 'OK'
}
