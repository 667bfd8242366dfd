// The only code that calls the platform: GET, and nothing else. Opens a line for each connection, and keeps what lines of one
// platform key have in common.
import { LRUCache } from 'lru-cache'
import type { Line } from '../engine/port.ts'
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
  readonly observe: Observe
}

export interface Platform {
  readonly origin: string
  readonly bind: (credential: Credential, connection: string) => Line
  close(): Promise<void>
}

/** platform keys whose quota is kept in mind, which is as many as there are opened connections */
const mostKeys = 20_000

export function createPlatform(options: PlatformOptions): Platform {
  const { baseUrl, now, observe, concurrency, totalMs, steady = () => performance.now() } = options
  const origin = new URL(baseUrl).origin
  const tokens = createTokens(now)
  const pools = createPools({ ...options, origin, steady })
  const governors = new LRUCache<string, Governor>({ max: mostKeys })

  function governorOf({ issuerId = '', keyId }: Credential): Governor {
    const name = `${issuerId} ${keyId}`
    const shed = () => observe({ kind: 'shed', reason: 'queue' })
    const found = governors.get(name) ?? createGovernor({ most: concurrency, steady, shed })
    governors.set(name, found)
    return found
  }

  return {
    origin,
    bind: (credential, connection) =>
      createLine({
        ...{ credential, connection, tokens, pools, governor: governorOf(credential) },
        ...{ now, steady, totalMs, observe },
      }),
    close: () => pools.close(),
  }
}
