// What replicas say to each other of a call that is under way, in the Redis: who has it, that he is still there, that somebody
// waits, and what came of it. Every word ends by itself, and none can be read there.
import type { Envelopes } from './envelopes.ts'
import { type Outcome, unpack } from './outcome.ts'
import type { Redis } from './redis.ts'
import { script } from './script.ts'

/** nobody joins a call that has been under way for so long: it may be one that drips for ever */
const joinMs = 3_000
/** whoever calls is believed to be there for so long, and says it again in time */
export const aliveMs = 2_000
export const beatMs = 500
/** how long what came of it can be fetched */
const toldMs = 5_000

// KEYS: the lease, and what the signs of life begin with. Nil: it is ours; else the token of whoever has it.
const enter = script(`
  local by = redis.call('GET', KEYS[1])
  if by and redis.call('EXISTS', KEYS[2] .. by) == 1 then
    redis.call('SET', KEYS[2] .. by, '1', 'KEEPTTL')
    return by
  end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[2] .. ARGV[1], '0', 'PX', ARGV[3])
  return false`)

// KEYS: the lease, the sign of life. Nobody comes to wait from here on; 1: somebody does, and is told next.
const leave = script(`
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  if redis.call('GET', KEYS[2]) == '1' then return redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
  redis.call('DEL', KEYS[2])
  return 0`)

// KEYS: what came of it, the sign of life, the channel. Without bytes it came to nothing, and one of those who wait calls next.
const tell = script(`
  if ARGV[1] ~= '' then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
  redis.call('DEL', KEYS[2])
  return redis.call('PUBLISH', KEYS[3], ARGV[3])`)

/** `under way`: wait on; `silent`: nothing came of it, and somebody else should call; `alone`: others have nothing for us */
export type Heard = Exclude<Outcome, 'too large'> | 'under way' | 'silent' | 'alone'

/** `lease`: the name of the read; `token`: of one call of it */
export interface LeaseWords {
  /** null: the call is ours to make; a token: of whoever makes it; undefined: there is nobody to ask */
  enter(lease: string, token: string): Promise<string | null | undefined>
  /** whether somebody waits, and is to be told; undefined: it was not heard */
  leave(lease: string, token: string): Promise<boolean | undefined>
  /** to those who wait; undefined: nothing came of it */
  tell(lease: string, token: string, plain: Buffer | undefined): void
  look(lease: string, token: string): Promise<Heard>
  beat(token: string): void
  isAwaited(token: string): Promise<boolean>
  /** told of each read that something was said of */
  listen(heard: (lease: string) => void): void
}

const tokenForm = /^[\w-]{22}$/

export function createLeaseWords(redis: Redis, envelopes: Envelopes): LeaseWords {
  const leaseOf = (lease: string) => redis.name('lease', lease)
  const aliveOf = (token: string) => redis.name('alive', token)
  const toldOf = (token: string) => redis.name('told', token)
  const channel = redis.name('told')

  return {
    async enter(lease, token) {
      const by = await redis.run(enter, [leaseOf(lease), aliveOf('')], [token, joinMs, aliveMs])
      // what is no token was not put there by us
      return by === null || (typeof by === 'string' && tokenForm.test(by)) ? by : undefined
    },
    async leave(lease, token) {
      const told = await redis.run(leave, [leaseOf(lease), aliveOf(token)], [token, aliveMs])
      return told === undefined ? undefined : told === 1
    },
    tell(lease, token, plain) {
      const bytes = plain ? envelopes.close([toldOf(token), lease], plain) : ''
      void redis.run(tell, [toldOf(token), aliveOf(token), channel], [bytes, toldMs, lease])
    },
    async look(lease, token) {
      const found = await redis.askBytes('MGET', toldOf(token), aliveOf(token))
      if (!Array.isArray(found)) return 'alone'
      const [told, alive] = found as (Buffer | null)[]
      if (!told) return alive ? 'under way' : 'silent'
      const plain = envelopes.open([toldOf(token), lease], told)
      const outcome = plain && unpack(plain)
      return outcome === undefined || outcome === 'too large' ? 'alone' : outcome
    },
    beat: (token) => void redis.ask('PEXPIRE', aliveOf(token), aliveMs),
    isAwaited: async (token) => (await redis.ask('GET', aliveOf(token))) === '1',
    listen: (heard) => redis.listen(channel, (message) => heard(message.toString('latin1'))),
  }
}
