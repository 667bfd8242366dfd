// A write that shows whether a Redis can be used: one that answers and refuses writes is as good as gone, since what replicas
// tell each other there would be lost, and what they read there may be old.
import { type Script, script } from './script.ts'

/** Each command that is used there, so that a user who lacks one is found before half of the work is done. SET first: no other tells that memory is full. */
export const proofScript: Script = script(`
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

/** what the proof asks: a plain write too, whose refusal has its own code also where a script's has not (Redis 6) */
export interface ProofParts {
  readonly ping: () => Promise<unknown>
  readonly set: (name: string) => Promise<unknown>
  readonly run: (what: Script, names: readonly string[]) => Promise<unknown>
}

/** whether it takes writes; rejects with its refusal. Anything but these words is the answer to another question */
export async function prove({ ping, set, run }: ProofParts, name: string): Promise<boolean> {
  const [pong, ok] = await Promise.all([ping(), set(name), run(proofScript, [name])])
  return pong === 'PONG' && ok === 'OK'
}
