// Keeps the revocation mark in Redis, together with the server's run id: a server that restarted or took over may hold an
// older mark, which then counts as another one.
import type { Redis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'

export type MarkStore = ReturnType<typeof markStoreIn>

/** longer than any cached record is used */
const keptMs = 24 * 3_600_000

// Writes each time: a lagging copy or a server with full memory must not answer (PEXPIRE alone would be let through).
const read = script(`
  local mark = redis.call('HGET', KEYS[1], 'mark')
  if not mark then mark = ARGV[1] end
  redis.call('HSET', KEYS[1], 'mark', mark)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') .. ' ' .. mark`)

const change = script(`
  redis.call('HSET', KEYS[1], 'mark', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 'told'`)

const relay = script(`
  if redis.call('HGET', KEYS[1], 'seq') ~= ARGV[3] then redis.call('HSET', KEYS[1], 'mark', ARGV[1], 'seq', ARGV[3]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 'told'`)

export function markStoreIn(redis: Redis) {
  const names = [redis.name('takings')]
  return {
    /** the current mark, or `fresh` where there is none; undefined: Redis did not answer */
    async read(fresh: string): Promise<string | undefined> {
      const answer = await redis.run(read, names, [fresh, keptMs])
      return typeof answer === 'string' ? answer : undefined
    },
    /** whether Redis confirmed the new mark */
    replace: async (fresh: string) => (await redis.run(change, names, [fresh, keptMs])) === 'told',
    /** replaces the mark unless this revocation was relayed before; rejects where Redis did not answer */
    async relay(fresh: string, seq: number) {
      const answer = await redis.run(relay, names, [fresh, keptMs, seq])
      if (answer !== 'told') throw new Error('Redis was not heard')
    },
  }
}
