// The faults of a Redis: restarted empty or with an older copy, full, demoted, stopped, with a clock that is set or drifts.
import type { RedisServer } from '../redis/server.ts'
import type { Refusal } from '../redis/store.ts'
import type { Simulation } from '../simulation.ts'
import { type FaultKind, shortly } from './plan.ts'
import type { Begins } from './running.ts'

export type RedisFault =
  | 'redis empty'
  | 'redis older'
  | 'redis full'
  | 'redis demoted'
  | 'redis stopped'
  | 'redis clock'
  | 'redis drift'

const minute = 60_000
const nodes = ['redis']

export const redisKinds: Readonly<Record<RedisFault, FaultKind>> = {
  'redis empty': { forMs: [20, 5 * minute], nodes },
  'redis older': { forMs: [20, 5 * minute], nodes },
  'redis full': { forMs: shortly, nodes },
  'redis demoted': { forMs: shortly, nodes },
  'redis stopped': { forMs: [10, 2 * minute], nodes },
  'redis clock': { forMs: [1, 2], nodes, amount: [-20 * minute, 20 * minute] },
  'redis drift': { forMs: shortly, nodes, amount: [0.9995, 1.0005] },
}

/** `forgot`: what Redis holds from now on is not what was told to it */
export function createRedisFaults(simulation: Simulation, redis: RedisServer, forgot: () => void): Begins<RedisFault> {
  function refuse(refusal: Refusal) {
    if (refusal === 'READONLY') redis.disconnectAll()
    redis.refuse(refusal)
    return () => redis.refuse(undefined)
  }

  function restart(isEmpty: boolean) {
    const copy = isEmpty ? undefined : redis.olderCopy()
    redis.kill()
    return () => {
      // unless another restart ended before
      if (!redis.node.isDown) return
      forgot()
      redis.start(copy)
    }
  }

  return {
    'redis empty': () => restart(true),
    'redis older': () => restart(false),
    'redis full': () => refuse('OOM'),
    'redis demoted': () => refuse('READONLY'),
    'redis stopped'() {
      simulation.stop(redis.node)
      return () => simulation.wake(redis.node)
    },
    'redis clock'({ amount }) {
      redis.node.step(amount)
      return undefined
    },
    'redis drift'({ amount }) {
      redis.node.drift(amount)
      return () => redis.node.drift(1)
    },
  }
}
