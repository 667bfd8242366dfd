// Where the mark of the last taking stands: a few bytes in Redis, together with which run of which server says so. A server
// that was started anew, or that took over, may have an older mark, so its word is another one.
import type { Redis } from './redis.ts'
import { script } from './script.ts'

export interface Board {
  /** the mark that stands; this one where there is none. undefined: not heard */
  read(fresh: string): Promise<string | undefined>
  /** whether this mark surely stands now */
  change(fresh: string): Promise<boolean>
  /** this mark stands from now on, unless this taking was relayed before; rejects where that was not heard */
  relay(fresh: string, seq: number): Promise<void>
}

/** nobody believes for so long: a mark that is not read is not needed */
const keptMs = 24 * 3_600_000

// A write each time, and of the kind that a change needs: only a server that takes changes may answer, no copy that lags
// behind, and none whose memory is full (PEXPIRE alone would be let through there).
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

export function boardOver(redis: Redis): Board {
  const names = [redis.name('takings')]
  return {
    async read(fresh) {
      const answer = await redis.run(read, names, [fresh, keptMs])
      return typeof answer === 'string' ? answer : undefined
    },
    change: async (fresh) => (await redis.run(change, names, [fresh, keptMs])) === 'told',
    async relay(fresh, seq) {
      const answer = await redis.run(relay, names, [fresh, keptMs, seq])
      if (answer !== 'told') throw new Error('Redis was not heard')
    },
  }
}
