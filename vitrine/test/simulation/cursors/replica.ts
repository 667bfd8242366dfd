// One replica of the simulation: the product's own engine and cursors, over the simulated platform.
import { Holder } from '../../../../base/core/holder.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import { routes } from '../../../src/catalogue/index.ts'
import { answer } from '../../../src/engine/answer.ts'
import { createCursors, type Cursors } from '../../../src/engine/cursor.ts'
import type { LookupCache } from '../../../src/engine/lookup-cache.ts'
import type { PlatformDocument, PlatformRead } from '../../../src/engine/port.ts'
import { Problem } from '../../../src/problems.ts'
import { createLookupCaches } from '../../../src/reads/caches.ts'
import { app, event, locale, origin, type Platform, type PlatformAnswer } from './platform.ts'
import type { Lie, ListName } from './plan.ts'

const callMs = 10_000

interface Place {
  readonly operation: string
  readonly ids: Readonly<Record<string, string>>
  /** without attributes of related resources */
  readonly fields?: string
}

const places: Readonly<Record<ListName, Place>> = {
  plain: { operation: 'listApps', ids: {} },
  counted: { operation: 'listEvents', ids: { appId: app } },
  localized: { operation: 'listEventScreenshotIds', ids: { eventId: event, locale } },
  nested: { operation: 'listWebhookDeliveries', ids: { appId: app }, fields: 'createdDate' },
}

export interface PageAsked {
  readonly list: ListName
  readonly limit: number
  readonly cursor?: string | undefined
  readonly connection?: string
}

/** a page, or the code of a refusal */
export interface Page {
  readonly code: string
  readonly ids: readonly string[]
  readonly next: string | null
  /** what was wrong with the platform's answers for it */
  readonly lies: readonly Lie[]
  /** where the platform's next link led */
  readonly leadsTo: string | undefined
  /** of the replica that answered */
  readonly key: Buffer
}

export class Replica {
  readonly #node: SimulatedNode
  readonly #platform: Platform
  readonly #cursors: Cursors
  readonly #lookups: LookupCache
  readonly key: Buffer

  constructor(node: SimulatedNode, platform: Platform, key: Buffer, now: () => number, isStable: boolean) {
    this.#node = node
    this.#platform = platform
    this.key = key
    const cursors = createCursors(key, now)
    this.#cursors = isStable ? { ...cursors, seal: cursors.sealStable } : cursors
    this.#lookups = createLookupCaches(() => performance.now()).of(this, false)
  }

  async read({ list, limit, cursor, connection = 'connection' }: PageAsked): Promise<Page> {
    const heard: PlatformAnswer[] = []
    const { operation, ids, fields } = places[list]
    const route = routes.find((one) => one.operation === operation)
    if (!route) throw new Error(`no route ${operation}`)
    const asked = { limit: String(limit), ...(fields && { fields }), ...(cursor !== undefined && { cursor }) }
    const query = new URLSearchParams(asked).toString()
    const get = ({ target }: PlatformRead) => this.#get(target, heard)
    const context = { get, origin, memory: this.#lookups, cursors: this.#cursors, linkage: false }
    const about = () => ({
      lies: heard.flatMap(({ lie }) => (lie ? [lie] : [])),
      leadsTo: heard.at(-1)?.next,
      key: this.key,
    })
    try {
      const { written } = await answer(
        { route, connection, account: 'account', ids, query },
        { ...context, write: (...pieces) => pieces.join('') },
      )
      const { items, nextCursor } = JSON.parse(written) as {
        items: (string | { id: string })[]
        nextCursor: string | null
      }
      const idsOf = items.map((item) => (typeof item === 'string' ? item : item.id))
      return { code: 'page', ids: idsOf, next: nextCursor, ...about() }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { code: error.code, ids: [], next: null, ...about() }
    }
  }

  #get(target: string, heard: PlatformAnswer[]): Promise<PlatformDocument> {
    return new Promise<PlatformDocument>((ok, no) => {
      const late = setTimeout(() => no(new Problem('upstream_timeout')), callMs)
      this.#platform.call(this.#node, target, (answered) => {
        const { status, document } = answered
        clearTimeout(late)
        heard.push(answered)
        if (status === 200) ok(new Holder<unknown>(document))
        else no(new Problem(status === 404 ? 'resource_not_found' : 'upstream_unavailable'))
      })
    })
  }
}
