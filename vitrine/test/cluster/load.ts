// Steady callers of a cluster: readers with their own rates, and paging readers whose pages come from alternating replicas.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../secrets/random.ts'
import { ask, type Told } from './request.ts'
import type { Checks } from './checks.ts'
import type { Cluster } from './cluster.ts'

export interface Endpoint {
  readonly name: string
  readonly url: string
}

/** through the balancer more often than directly to a replica */
export const endpointsOf = ({ balancer, replicas }: Cluster): readonly Endpoint[] => [
  ...replicas.map(() => ({ name: 'balancer', url: balancer.url })),
  ...replicas,
]

export interface Reader {
  readonly key: string
  readonly keyId: string
  readonly connection: string
  readonly everyMs: number
}

export interface Scene {
  readonly cluster: Cluster
  readonly checks: Checks
  readonly chance: Chance
  readonly signal: AbortSignal
  /** how many items each list of the platform has */
  readonly size: number
  /** called with every answer to a reader */
  readonly seen?: (endpoint: Endpoint, told: Told) => void
}

/** many callers request the same few lists */
const lists = 24
const limit = 50

export const idsOf = (connection: string, list: string, query = ''): string =>
  `/v1/connections/${connection}/apps/${list}/versions/ids?limit=${query || limit}`

const isWhole =
  (length: number) =>
  (json: any): boolean =>
    Array.isArray(json?.items) && json.items.length === length

/** a request over the rate of its key, whatever its answer */
const wasAdmitted = ({ status, json }: Told) => status === 200 || String(json?.error?.code).startsWith('upstream_')

export async function readOnce(scene: Scene, reader: Reader, endpoint: Endpoint): Promise<Told> {
  const { checks, chance, size, seen } = scene
  const told = await ask(endpoint.url + idsOf(reader.connection, `list${chance.below(lists)}`), reader.key)
  checks.answers.answered(endpoint.name, told, isWhole(Math.min(limit, size)))
  if (wasAdmitted(told)) checks.rates.admitted({ keyId: reader.keyId, sentAt: told.sentAt, doneAt: told.doneAt })
  seen?.(endpoint, told)
  return told
}

/** at a fixed rate, however long an answer takes; waits for open requests at the end */
export async function keepReading(scene: Scene, reader: Reader) {
  const endpoints = endpointsOf(scene.cluster)
  const underWay = new Set<Promise<unknown>>()
  while (!scene.signal.aborted) {
    // a paused replica gets no more callers than a balancer would send it
    if (underWay.size < 40) {
      const one: Promise<unknown> = readOnce(scene, reader, scene.chance.pick(endpoints)).finally(() =>
        underWay.delete(one),
      )
      underWay.add(one)
    }
    await sleep(reader.everyMs * (0.5 + scene.chance.below(100) / 100))
  }
  await Promise.all(underWay)
}

let walks = 0

/** from the first page to the last; a refused page is requested again */
async function walkOnce(scene: Scene, key: string) {
  const { cluster, checks, chance, signal, size } = scene
  const list = `walk${walks++}`
  const most = chance.pick([50, 100, 200])
  const endpoints = endpointsOf(cluster)
  let cursor: string | null = null
  for (let [from, turn] = [0, chance.below(4)]; from < size; turn++) {
    if (signal.aborted) return
    const endpoint = endpoints[turn % endpoints.length] as Endpoint
    const query: string = cursor === null ? String(most) : `${most}&cursor=${cursor}`
    const told = await ask(endpoint.url + idsOf('wide', list, query), key)
    checks.answers.answered(endpoint.name, told, (json) => Array.isArray(json?.items) && json.items.length > 0)
    if (told.status !== 200) {
      await sleep(50)
      continue
    }
    checks.walks.page({ list, from, limit: most, size, json: told.json, replica: endpoint.name })
    cursor = told.json.nextCursor
    from += most
    await sleep(20 + chance.below(40))
  }
}

export async function keepWalking(scene: Scene, key: string) {
  while (!scene.signal.aborted) await walkOnce(scene, key)
}
