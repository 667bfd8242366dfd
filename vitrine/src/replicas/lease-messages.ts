// The messages in Redis about a platform call that replicas share: its lease, the leader's sign of life, whether a replica
// waits, and the outcome. All expire, and the outcome is sealed.
import type { SealedMessages } from '../../../base/redis/sealed-messages.ts'
import { type CallOutcome, unpackOutcome } from './call-outcome.ts'
import type { Redis } from '../../../base/redis/redis.ts'
import { script } from '../../../base/redis/script.ts'

/** no replica joins a call that is older than this, since it may never end */
const joinMs = 3_000
/** a leader without a renewal for this long counts as gone */
export const aliveMs = 2_000
export const beatMs = 500
const outcomeMs = 5_000

// KEYS: the lease, the prefix of signs of life. Returns nil where the caller is the leader now, else the leader's token.
const enter = script(`
  local by = redis.call('GET', KEYS[1])
  if by and redis.call('EXISTS', KEYS[2] .. by) == 1 then
    redis.call('SET', KEYS[2] .. by, '1', 'KEEPTTL')
    return by
  end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[2] .. ARGV[1], '0', 'PX', ARGV[3])
  return false`)

// KEYS: the lease, the sign of life. Gives the lease up; 1: a replica waits for the outcome.
const leave = script(`
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  if redis.call('GET', KEYS[2]) == '1' then return redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
  redis.call('DEL', KEYS[2])
  return 0`)

// KEYS: the outcome, the sign of life, the channel. Without an outcome, one of those who wait becomes the leader.
const publish = script(`
  if ARGV[1] ~= '' then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
  redis.call('DEL', KEYS[2])
  return redis.call('PUBLISH', KEYS[3], ARGV[3])`)

/** `silent`: the leader ended without an outcome; `alone`: call without sharing */
export type LeaseState = Exclude<CallOutcome, 'too large'> | 'under way' | 'silent' | 'alone'

/** `lease`: the name of the read; `token`: one call of it */
export type LeaseMessages = ReturnType<typeof createLeaseMessages>

const tokenForm = /^[\w-]{22}$/

export function createLeaseMessages(redis: Redis, envelopes: SealedMessages) {
  const leaseOf = (lease: string) => redis.name('lease', lease)
  const aliveOf = (token: string) => redis.name('alive', token)
  const outcomeOf = (token: string) => redis.name('told', token)
  const channel = redis.name('told')

  return {
    /** null: the caller is the leader; a token: the leader's; undefined: Redis did not answer */
    async enter(lease: string, token: string): Promise<string | null | undefined> {
      const by = await redis.run(enter, [leaseOf(lease), aliveOf('')], [token, joinMs, aliveMs])
      // any other text was not written by a replica
      return by === null || (typeof by === 'string' && tokenForm.test(by)) ? by : undefined
    },
    /** whether a replica waits for the outcome; undefined: Redis did not answer */
    async leave(lease: string, token: string): Promise<boolean | undefined> {
      const outcome = await redis.run(leave, [leaseOf(lease), aliveOf(token)], [token, aliveMs])
      return outcome === undefined ? undefined : outcome === 1
    },
    publish(lease: string, token: string, plain: Buffer | undefined) {
      const bytes = plain ? envelopes.seal([outcomeOf(token), lease], plain) : ''
      void redis.run(publish, [outcomeOf(token), aliveOf(token), channel], [bytes, outcomeMs, lease])
    },
    async read(lease: string, token: string): Promise<LeaseState> {
      const found = await redis.askBytes('MGET', outcomeOf(token), aliveOf(token))
      if (!Array.isArray(found)) return 'alone'
      const [sealed, alive] = found as (Buffer | null)[]
      if (!sealed) return alive ? 'under way' : 'silent'
      const plain = envelopes.open([outcomeOf(token), lease], sealed)
      const outcome = plain && unpackOutcome(plain)
      return outcome === undefined || outcome === 'too large' ? 'alone' : outcome
    },
    renew: (token: string) => void redis.ask('PEXPIRE', aliveOf(token), aliveMs),
    isAwaited: async (token: string) => (await redis.ask('GET', aliveOf(token))) === '1',
    listen: (heard: (lease: string) => void) => redis.listen(channel, (message) => heard(message.toString('latin1'))),
  }
}
