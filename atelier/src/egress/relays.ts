// The relays of all containers that have one: opened at the start of a container, and again when one was lost.
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Engine, EngineError } from '../engine/port.ts'
import { residentPath } from '../engine/resident.ts'
import type { Observe } from '../events.ts'
import { RelayConnection } from './relay-connection.ts'

export interface RelayPlace {
  readonly container: string
  /** whose commands use it */
  readonly user: string
}

export interface RelaysParts {
  readonly engine: Engine
  readonly port: number
  readonly observe: Observe
}

const firstPauseMs = 250
const longestPauseMs = 30_000

export interface RelayWish {
  readonly place: RelayPlace
  readonly serve: (stream: Duplex) => void
  /** what programs trust; undefined: what their image does */
  readonly certificates: string | undefined
}

interface Kept extends RelayWish {
  readonly closing: AbortController
}

export function createRelays({ engine, port, observe }: RelaysParts) {
  const all = new Map<string, Kept>()

  async function openOnce({ place, serve, certificates, closing }: Kept): Promise<RelayConnection | undefined> {
    const argv = [residentPath, 'relay']
    const { signal } = closing
    const stream = await engine.open({ ...place, argv, env: {}, workingDir: '/', input: true })
    const relay = new RelayConnection(stream, serve)
    const close = () => relay.close()
    signal.addEventListener('abort', close)
    void relay.lost.then(() => signal.removeEventListener('abort', close))
    const isReady = certificates === undefined || (await relay.writeFile(certificates))
    if (isReady && !signal.aborted && (await relay.listen(port))) return relay
    relay.close()
    return undefined
  }

  /** false: the container is gone, or runs no more */
  async function isWanted({ place: { container }, closing: { signal } }: Kept): Promise<boolean> {
    const state = await engine.state(container).catch(() => 'away' as const)
    return !signal.aborted && (state === 'away' || state?.running === true)
  }

  async function keep(kept: Kept, first: RelayConnection | undefined) {
    const { place, closing } = kept
    let relay = first
    for (let pauseMs = firstPauseMs; !closing.signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (relay) {
        const since = performance.now()
        await relay.lost
        if (performance.now() - since > longestPauseMs) pauseMs = firstPauseMs
      }
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      if (!(await isWanted(kept))) break
      if (relay) observe({ kind: 'egress_lost', containerId: place.container })
      relay = await openOnce(kept).catch(() => undefined)
    }
    if (all.get(place.container) === kept) all.delete(place.container)
  }

  function begin(wish: RelayWish): Kept {
    const { container } = wish.place
    all.get(container)?.closing.abort()
    const kept = { ...wish, closing: new AbortController() }
    all.set(container, kept)
    return kept
  }

  return {
    /** answers when programs can connect */
    async open(wish: RelayWish) {
      const kept = begin(wish)
      try {
        const relay = await openOnce(kept)
        if (!relay) throw new EngineError('failed', 'the relay of the container does not listen')
        void keep(kept, relay)
      } catch (error) {
        kept.closing.abort()
        all.delete(wish.place.container)
        throw error
      }
    },
    /** of a container that runs since an earlier start of the service */
    reopen(wish: RelayWish) {
      if (!all.has(wish.place.container)) void keep(begin(wish), undefined)
    },
    has: (container: string) => all.has(container),
    close(container: string) {
      all.get(container)?.closing.abort()
    },
    closeAll() {
      for (const { closing } of all.values()) closing.abort()
    },
  }
}

export type Relays = ReturnType<typeof createRelays>
