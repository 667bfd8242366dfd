// One replica of the simulation: the product's own store over PostgreSQL, its keys and connections, its Redis client, and what
// decides whether it reads on without the database.
import { openRedis, type Redis } from '../../../../base/redis/redis.ts'
import { postgresDatabase } from '../../../../base/store/postgres.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { createKeys, type Keys } from '../../../src/keys/keys.ts'
import { Problem } from '../../../src/problems.ts'
import { openOutageReads, type OutageReads, watchDatabase } from '../../../src/replicas/outage.ts'
import { schema } from '../../../src/store/migrations.ts'
import type { ConnectionRecord } from '../../../src/store/records.ts'
import { type Store, storeOver } from '../../../src/store/store.ts'
import type { ActName, Plan } from './plan.ts'

const steady = () => performance.now()
const operator = { who: 'operator', from: '::1', requestId: null }

/** what a caller is given: a key, or a connection */
export interface Grant {
  readonly id: string
  /** absent for a connection */
  readonly key?: string
}

export type Used = 'accepted' | 'refused' | 'store_unavailable'

const connectionOf = (id: string, version: number): ConnectionRecord => ({
  id,
  epoch: 'epoch',
  version,
  keyId: 'key',
  issuerId: 'issuer',
  fingerprint: 'f'.repeat(64),
  linkage: null,
  tokenScope: null,
  masterKey: 'first',
  wrapped: Buffer.alloc(8, version),
  sealed: Buffer.alloc(8, version),
  createdAt: 0,
  replacedAt: null,
  lastUsedAt: null,
})

interface Parts {
  readonly store: Store
  readonly keys: Keys
  readonly outage: OutageReads
  readonly redis: Redis | undefined
}

export class Replica {
  readonly node: SimulatedNode
  readonly #plan: Plan
  readonly #url: string
  readonly #told: (what: string) => void
  parts: Parts | undefined
  /** by the simulation's clock */
  openSince = 0

  constructor(node: SimulatedNode, plan: Plan, url: string, told: (what: string) => void) {
    this.node = node
    this.#plan = plan
    this.#url = url
    this.#told = told
  }

  async start() {
    const { hasRedis, boundMs } = this.#plan
    const { life } = this.node
    const observe = ({ kind }: { readonly kind: string }) => {
      if (life === this.node.life) this.#told(kind)
    }
    const store = storeOver(await postgresDatabase(this.#url, schema))
    const prefix = ['vitrine', 'simulation']
    const redis = hasRedis ? await openRedis({ url: 'redis://redis', prefix, observe, steady }) : undefined
    // its own clock, also where an oracle asks what is told until when
    const options = { store, observe, steady, now: () => this.node.now() }
    const outage = redis ? await openOutageReads({ ...options, redis, boundMs }) : watchDatabase(options)
    const accounts = async () => new Map<string, string>()
    this.parts = {
      store,
      outage,
      redis,
      keys: createKeys({ records: store.keys, kind: 'live', now: Date.now, accounts }),
    }
  }

  /** the process is gone */
  end() {
    this.parts = undefined
  }

  get #open(): Parts {
    if (!this.parts) throw new Problem('stopping')
    return this.parts
  }

  async grant(act: ActName, name: string): Promise<Grant> {
    const { keys, store } = this.#open
    if (act.startsWith('keys.')) {
      const { key, shown } = await keys.issue({ name, connections: ['*'] }, operator)
      return { id: shown.id, key }
    }
    const entry = {
      ...operator,
      at: Date.now(),
      act: 'connections.create',
      target: name,
      outcome: 'done',
      details: {},
    } as const
    await store.connections.add(connectionOf(name, 1), entry)
    return { id: name }
  }

  async use({ id, key }: Grant): Promise<Used> {
    const { keys, store } = this.#open
    try {
      if (key !== undefined) await keys.authenticate(`Bearer ${key}`)
      else if ((await store.connections.find(id))?.version !== 1) return 'refused'
      return 'accepted'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'key_invalid') return 'refused'
      if (error.code === 'store_unavailable') return error.code
      throw error
    }
  }

  /** Takes a grant away; whether all replicas know by then. Rejects where it may not have happened. */
  async take(act: ActName, { id }: Grant): Promise<{ readonly isTold: boolean }> {
    const { keys, store, outage } = this.#open
    const entry = { ...operator, at: Date.now(), act, target: id, outcome: 'done', details: {} } as const
    const stamp = { epoch: 'epoch', version: 1 }
    if (act === 'keys.revoke') await keys.revoke(id, operator)
    else if (act === 'keys.reroll') await keys.reroll(id, 0, operator)
    else if (act === 'connections.replace') await store.connections.replace(connectionOf(id, 2), stamp, entry)
    else await store.connections.remove(id, stamp, entry)
    return { isTold: outage.unpublishedUntil() === undefined }
  }
}
