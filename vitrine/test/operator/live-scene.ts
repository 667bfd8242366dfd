// Simulated listeners and connections, without a socket.
import type { TestContext } from 'node:test'
import type { UpstreamState } from '../../src/platform/port.ts'
import type { Connection } from '../../src/connections/connection.ts'
import type { SnapshotParts } from '../../src/management/live-snapshot.ts'
import type { Recipient } from '../../../base/web/event-stream.ts'
import { createLiveUpdates } from '../../src/management/live-updates.ts'
import { Problem } from '../../src/problems.ts'
import { holdHistory } from '../history/history-scene.ts'

const silent: UpstreamState = {
  breaker: 'closed',
  retryAfterSec: null,
  pausedSec: 0,
  running: 0,
  waiting: 0,
  keyRejected: false,
  lastAnswerAt: null,
  lastFailure: null,
}

/** connections that a test changes, and how often they were read */
export function makeUp(count: number) {
  const held = holdHistory()
  const scene = { ids: Array.from({ length: count }, (_, i) => `c${i}`), looks: 0, isDown: false, ready: true }
  const parts: SnapshotParts = {
    connections: {
      find: async () => undefined,
      isManaged: () => false,
      opened: () => scene.ids.map((id) => ({ id, state: () => silent }) as Connection),
      ids: async () => {
        scene.looks++
        if (scene.isDown) throw new Problem('store_unavailable')
        return scene.ids.toSorted()
      },
    },
    history: held.history,
    service: {
      version: '1',
      publicUrl: () => 'http://127.0.0.1:8080',
      startedAt: 0,
      replicas: () => 1,
      redis: () => null,
      uptimeMs: () => performance.now(),
    },
    ready: async () => {
      if (!scene.ready) throw new Problem('stopping')
    },
    now: () => held.at,
  }
  return Object.assign(scene, { parts, held })
}

export interface Played extends Recipient {
  /** names of events, with the ids of cards */
  readonly heard: string[]
  /** accepts nothing more until the test says so */
  isSlow: boolean
  take(): void
  leave(): void
  hasEnded: boolean
}

function readEvents(bytes: string): string[] {
  return bytes.split('\n\n').flatMap((block) => {
    const [, name = '', data = ''] = /event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    if (name === 'cards') return [`cards ${JSON.parse(data).items.map(({ id }: any) => id)}`]
    return name === '' ? [] : [name === 'service' ? name : `${name} ${data}`]
  })
}

export function play(): Played {
  let [taken, gone]: ((() => void) | undefined)[] = []
  const one: Played = {
    heard: [],
    isSlow: false,
    hasEnded: false,
    send(bytes) {
      one.heard.push(...readEvents(String(bytes)))
      return !one.isSlow
    },
    onTaken: (listener) => void (taken = listener),
    onGone: (listener) => void (gone = listener),
    end(bytes) {
      one.heard.push(...readEvents(String(bytes)))
      one.hasEnded = true
      gone?.()
    },
    take: () => taken?.(),
    leave: () => gone?.(),
  }
  return one
}

export const tickMs = 20
const many = { most: 20, mostOfOne: 4 }

export function begin(t: TestContext, parts: SnapshotParts, more: { beatMs?: number; most?: number } = {}) {
  const failures: unknown[] = []
  const live = createLiveUpdates(parts, {
    tickMs,
    beatMs: 1_000,
    ...many,
    failed: (error) => failures.push(error),
    ...more,
  })
  t.after(() => live.close())
  return {
    live,
    failures,
    async join(isLetIn = () => true) {
      const one = play()
      ;(await live.open(isLetIn))(one)
      return one
    },
  }
}

export const wholeOf = ({ held }: { held: { at: number } }, count: number): string =>
  JSON.stringify({ at: new Date(held.at).toISOString(), count })
