// The only code that calls the platform: GET, and nothing else. Opens a line for each connection, and keeps what lines of one
// platform key have in common.
import { LRUCache } from 'lru-cache'
import type { Line, LineState } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import { createGovernor, type Governor } from './governor.ts'
import { createLine } from './line.ts'
import type { Resolve } from './look-up.ts'
import { createPools, type Reach } from './pools.ts'
import { createTokens, type Credential } from './token.ts'

export interface PlatformOptions extends Reach {
  /** origin of the platform, fixed by the operator */
  readonly baseUrl: string
  readonly now: () => number
  /** milliseconds of a clock that nobody sets */
  readonly steady?: (() => number) | undefined
  readonly resolve?: Resolve | undefined
  /** who takes turns at this platform key, where that is decided elsewhere */
  readonly governorOf?: ((key: string) => Governor) | undefined
  readonly observe: Observe
}

export interface Platform {
  readonly origin: string
  readonly bind: (credential: Credential, connection: string) => Line
  close(): Promise<void>
}

/** platform keys whose quota is kept in mind, which is as many as there are opened connections */
const mostKeys = 20_000

/** what two connections of one platform key have in common */
const nameOf = ({ issuerId = '', keyId }: Credential): string => `${issuerId} ${keyId}`

/** of a line that nobody has read through */
const silent: LineState = {
  ...{ breaker: 'closed', retryAfterSec: null, pausedSec: 0, running: 0, waiting: 0 },
  ...{ keyRejected: false, lastAnswerAt: null, lastFailure: null },
}

export function createPlatform(options: PlatformOptions): Platform {
  const { baseUrl, now, observe, concurrency, totalMs, steady = () => performance.now() } = options
  const origin = new URL(baseUrl).origin
  const tokens = createTokens(now)
  const pools = createPools({ ...options, origin, steady })
  const shed = () => observe({ kind: 'shed', reason: 'queue' })
  const make = options.governorOf ?? (() => createGovernor({ most: concurrency, steady, shed }))
  const governors = new LRUCache<string, Governor>({ max: mostKeys })

  function governorOf(credential: Credential): Governor {
    const name = nameOf(credential)
    const found = governors.get(name) ?? make(name)
    governors.set(name, found)
    return found
  }

  const open = (credential: Credential, connection: string): Line =>
    createLine({
      ...{ credential, connection, tokens, pools, governor: governorOf(credential) },
      ...{ now, steady, totalMs, observe },
    })

  return {
    origin,
    bind(credential, connection) {
      // laid by its first read: a line is 10 KB, and of thousands of connections most are silent
      let line: Line | undefined
      const opened = (): Line => (line ??= open(credential, connection))
      return {
        get: (read, errand) => opened().get(read, errand),
        share: (name, errand, make) => opened().share(name, errand, make),
        hour: () => line?.hour(),
        state: () => line?.state() ?? { ...silent, ...governors.peek(nameOf(credential))?.state() },
      }
    },
    close: () => pools.close(),
  }
}
