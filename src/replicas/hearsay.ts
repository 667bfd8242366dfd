// Replicas tell each other that the platform does not answer, and whoever is answered then says so, once. It is said for the
// moment and kept nowhere: what is missed is not known, and each goes by what it has met itself.
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Hearsay } from '../platform/breaker.ts'
import type { Redis } from './redis.ts'

const longestName = 100
/** connections of which something was said lately */
const most = 10_000

interface Said {
  /** somebody is not answered, and nobody has said since that he is */
  isDoubted: boolean
  answeredAt: number
}

/** `name`: of a connection with its credential, which says nothing of either */
export function createHearsay(redis: Pick<Redis, 'ask' | 'name' | 'listen'>, steady: () => number) {
  const said = new LRUCache<string, Said>({ max: most })
  const [own, channel] = [randomBytes(9).toString('base64url'), redis.name('hearsay')]

  function hear(message: Buffer) {
    const [from, outcome, name] = message.toString().split(' ')
    if (from === own || name === undefined || name.length > longestName) return
    const { answeredAt } = said.get(name) ?? { answeredAt: Number.NEGATIVE_INFINITY }
    if (outcome === 'down') said.set(name, { isDoubted: true, answeredAt })
    if (outcome === 'alive') said.set(name, { isDoubted: false, answeredAt: steady() })
  }

  redis.listen(channel, hear)
  return {
    of: (name: string): Hearsay => ({
      answeredAt: () => said.get(name)?.answeredAt ?? Number.NEGATIVE_INFINITY,
      tell(outcome) {
        const known = said.peek(name)
        // of what nobody doubts nothing is said
        if (outcome === 'alive' && !known?.isDoubted) return
        if (known) known.isDoubted = false
        void redis.ask('PUBLISH', channel, `${own} ${outcome} ${name}`)
      },
    }),
  }
}
