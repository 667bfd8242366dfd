// The only code that calls the platform: GET, and nothing else. Opens a line for each connection, and keeps what lines of one
// platform key have in common.
import { LRUCache } from 'lru-cache'
import type { Line, LineState } from '../engine/port.ts'
import type { Observe } from '../observe.ts'
import type { Hearsay } from './breaker.ts'
import { createGovernor, type Governor } from './governor.ts'
import { createLine, type Together } from './line.ts'
import type { Resolve } from './look-up.ts'
import { createPools, type Reach } from './pools.ts'
import { createRoom } from './room.ts'
import { createTokens, type Credential } from './token.ts'

export interface PlatformOptions extends Reach {
  /** origin of the platform, fixed by the operator */
  readonly baseUrl: string
  /** bytes of answers that are in memory at once */
  readonly answerBytes?: number | undefined
  readonly now: () => number
  /** milliseconds of a clock that nobody sets */
  readonly steady?: (() => number) | undefined
  readonly resolve?: Resolve | undefined
  /** who takes turns at this platform key, where that is decided elsewhere */
  readonly governorOf?: ((key: string) => Governor) | undefined
  /** how equal reads of a connection are one over several processes; asked when the connection is first read through */
  readonly leases?: (() => Leases | undefined) | undefined
  readonly observe: Observe
}

export interface Leases {
  /** `identity`: of the connection with its credential, and of nothing else; `shared` is told of each read that another answered */
  of(identity: string, shared: () => void): Together
  /** whether the others are answered */
  hearsayOf(identity: string): Hearsay
}

export interface Platform {
  readonly origin: string
  /** of answers that are in memory now */
  readonly answerBytes: () => number
  /** one with an identity has it in every process that reads through the same connection with the same credential */
  readonly bind: (credential: Credential, connection: string, identity?: string) => Line
  /** takes turns at platform keys so from now on: other replicas use them, too */
  shareTurns(governorOf: (key: string) => Governor): void
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

type Make = (key: string) => Governor

/** one for all connections of a platform key */
function createGovernors(first: Make) {
  const governors = new LRUCache<string, Governor>({ max: mostKeys })
  let make = first
  return {
    of(credential: Credential): Governor {
      const name = nameOf(credential)
      const found = governors.get(name) ?? make(name)
      governors.set(name, found)
      return found
    },
    stateOf: (credential: Credential) => governors.peek(nameOf(credential))?.state(),
    makeBy: (other: Make) => void (make = other),
  }
}

export function createPlatform(options: PlatformOptions): Platform {
  const { baseUrl, now, observe, concurrency, totalMs, steady = () => performance.now() } = options
  const origin = new URL(baseUrl).origin
  const tokens = createTokens(now)
  const pools = createPools({ ...options, origin, steady })
  const room = createRoom({ most: options.answerBytes ?? Infinity, observe })
  const shed = () => observe({ kind: 'shed', reason: 'queue' })
  const make = () => createGovernor({ most: concurrency, steady, shed })
  const governors = createGovernors(options.governorOf ?? make)

  function open(credential: Credential, connection: string, identity: string | undefined): Line {
    const shared = () => observe({ kind: 'shared', connection })
    // a platform elsewhere, which a setting may name from one start to the next, has other answers
    const leases = identity === undefined ? undefined : options.leases?.()
    const together = leases?.of(`${origin} ${identity}`, shared)
    const hearsay = leases?.hearsayOf(`${origin} ${identity}`)
    return createLine({
      ...{ credential, connection, tokens, pools, governor: governors.of(credential), together, hearsay },
      ...{ now, steady, totalMs, room, observe },
    })
  }

  return {
    origin,
    answerBytes: room.bytes,
    bind(credential, connection, identity) {
      // laid by its first read: a line is 10 KB, and of thousands of connections most are silent
      let line: Line | undefined
      const opened = (): Line => (line ??= open(credential, connection, identity))
      return {
        get: (read, errand) => opened().get(read, errand),
        share: (name, errand, make) => opened().share(name, errand, make),
        hour: () => line?.hour(),
        state: () => line?.state() ?? { ...silent, ...governors.stateOf(credential) },
      }
    },
    shareTurns: governors.makeBy,
    close: () => pools.close(),
  }
}
