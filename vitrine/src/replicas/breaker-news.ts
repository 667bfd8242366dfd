// Tells the other replicas over Redis that the platform fails to answer, or answers again. News is never stored: a missed
// message changes nothing, since each replica also judges by its own calls.
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { BreakerNews } from '../platform/retry/breaker.ts'
import type { Redis } from '../../../base/redis/redis.ts'

const longestName = 100
const most = 10_000

interface News {
  /** a replica reported a failure, and none has reported an answer since */
  isDoubted: boolean
  answeredAt: number
}

/** `name`: a keyed hash of the connection and its credential */
export function createBreakerNews(redis: Pick<Redis, 'ask' | 'name' | 'listen'>, steady: () => number) {
  const news = new LRUCache<string, News>({ maxSize: most, sizeCalculation: () => 1 })
  const [own, channel] = [randomBytes(9).toString('base64url'), redis.name('hearsay')]

  function receive(message: Buffer) {
    const [from, outcome, name] = message.toString().split(' ')
    if (from === own || name === undefined || name.length > longestName) return
    const { answeredAt } = news.get(name) ?? { answeredAt: Number.NEGATIVE_INFINITY }
    if (outcome === 'down') news.set(name, { isDoubted: true, answeredAt })
    if (outcome === 'alive') news.set(name, { isDoubted: false, answeredAt: steady() })
  }

  redis.listen(channel, receive)
  return {
    of: (name: string): BreakerNews => ({
      answeredAt: () => news.get(name)?.answeredAt ?? Number.NEGATIVE_INFINITY,
      tell(outcome) {
        const known = news.peek(name)
        // only the first answer after a failure is news
        if (outcome === 'alive' && !known?.isDoubted) return
        if (known && outcome === 'alive') known.isDoubted = false
        void redis.ask('PUBLISH', channel, `${own} ${outcome} ${name}`)
      },
    }),
  }
}
