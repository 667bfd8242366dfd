// The platform on a node of the simulation: lists under paths, paged by its own cursors. It fails and lies when it is told to.
import type { Network } from '../../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../../base/test/simulator/node.ts'
import type { Random } from '../../../../base/test/simulator/random.ts'
import { List } from './lists.ts'
import type { Change, Lie, ListName } from './plan.ts'

export const origin = 'https://platform.example'

/** the ids in the paths of the four lists */
export const [app, event, locale] = ['app-1', 'event-1', 'en-US']
const below = {
  webhook: (id: string) => `/v1/webhooks/${id}/deliveries`,
  localization: (id: string) => `/v1/appEventLocalizations/${id}/relationships/appEventScreenshots`,
}
const paths = {
  plain: '/v1/apps',
  counted: `/v1/apps/${app}/appEvents`,
  localizations: `/v1/appEvents/${event}/localizations`,
  webhooks: `/v1/apps/${app}/webhooks`,
}

export interface PlatformAnswer {
  readonly status: 200 | 404 | 500
  readonly document?: object
  /** what is wrong with it */
  readonly lie?: Lie
  /** where its next link leads */
  readonly next?: string
}

export class Platform {
  readonly node: SimulatedNode
  readonly lists = new Map<string, List>()
  readonly state = { lies: new Set<Lie>(), fails: 0, circleBack: 0 }
  readonly #network: Network
  readonly #random: Random
  /** of each cursor: the one of the page before */
  readonly #before = new Map<string, string>()
  /** once a circle has begun, this cursor is followed by that one */
  readonly #circles = new Map<string, string>()

  constructor(network: Network, rows: number) {
    const { simulation } = network
    this.#network = network
    this.node = simulation.addNode('platform')
    this.#random = simulation.random.fork('platform')
    this.#open(paths.plain, new List('apps', 0), rows)
    this.#open(paths.counted, new List('appEvents', 0, true), rows)
    this.#open(paths.localizations, new List('appEventLocalizations', 0), 0)
    this.#open(paths.webhooks, new List('webhooks', 0), 0)
    this.#addParent(paths.localizations, below.localization, rows)
    for (let i = 0; i < 3; i++) this.#addParent(paths.webhooks, below.webhook, rows / 3)
  }

  #newId(): string {
    return String(Math.floor(this.#random.next() * 1e9)).padStart(9, '0')
  }

  #open(path: string, list: List, rows: number) {
    this.lists.set(path, list)
    for (let i = 0; i < rows; i++) list.add(this.#newId(), list.from)
  }

  #addParent(path: string, pathOf: (id: string) => string, rows: number) {
    const { now } = this.#network.simulation
    const id = this.#newId()
    this.lists.get(path)?.add(id, now)
    const type = path === paths.webhooks ? 'webhookDeliveries' : 'appEventScreenshots'
    this.#open(pathOf(id), new List(type, now), rows)
  }

  /** the lists that a walk reads rows of, now or before */
  listsOf(name: ListName): List[] {
    if (name === 'plain' || name === 'counted') return [this.lists.get(paths[name]) as List]
    const [path, pathOf] =
      name === 'nested' ? [paths.webhooks, below.webhook] : [paths.localizations, below.localization]
    return (this.lists.get(path)?.rows ?? []).map(({ id }) => this.lists.get(pathOf(id)) as List)
  }

  /** the list of members above the rows of a walk */
  parentsOf(name: ListName): List | undefined {
    if (name === 'nested') return this.lists.get(paths.webhooks)
    return name === 'localized' ? this.lists.get(paths.localizations) : undefined
  }

  change({ list: name, adds, removes, renews }: Change) {
    const { now } = this.#network.simulation
    const parents = this.parentsOf(name)
    if (renews && parents) {
      const [path, pathOf] =
        name === 'nested' ? [paths.webhooks, below.webhook] : [paths.localizations, below.localization]
      const there = parents.at(now)
      const gone = there.length > 0 ? this.#random.pick(there) : undefined
      if (gone) gone.to = now
      const list = gone && this.lists.get(pathOf(gone.id))
      if (list) list.to = now
      this.#addParent(path, pathOf, adds + removes)
      return
    }
    const live = this.listsOf(name).filter(({ to }) => to > now)
    for (let i = 0; i < removes && live.length > 0; i++) this.#random.pick(live).remove(this.#random, now)
    for (let i = 0; i < adds && live.length > 0; i++) this.#random.pick(live).add(this.#newId(), now)
  }

  /** `answered` happens at most once, in an event of the replica */
  call(from: SimulatedNode, target: string, answered: (answer: PlatformAnswer) => void) {
    const { life } = from
    const { simulation } = this.#network
    this.#network.send(from, this.node, () => {
      const answer = this.#random.chance(this.state.fails) ? { status: 500 as const } : this.#answer(target)
      const back = () => this.#network.send(this.node, from, () => from.life === life && answered(answer))
      simulation.after(this.#random.between(5, 200), back, this.node)
    })
  }

  #answer(target: string): PlatformAnswer {
    const { now } = this.#network.simulation
    const url = new URL(target, origin)
    const list = this.lists.get(url.pathname)
    if (!list || list.to <= now) return { status: 404 }
    const rows = list.at(now)
    const [limit, cursor] = [Number(url.searchParams.get('limit') ?? 50), url.searchParams.get('cursor')]
    const begin = this.#beginOf(list, cursor)
    const page = rows.slice(begin, begin + limit)
    const hasMore = begin + page.length < rows.length
    const honest = hasMore ? this.#cursorAfter(list, begin + page.length, page.at(-1)?.id ?? '') : undefined
    const { next, lie } = this.#nextOf(url, cursor, honest)
    const data = page.map(({ id }) => ({
      type: list.type,
      id,
      attributes: list.type.endsWith('ations') ? { locale } : {},
    }))
    const document = {
      data,
      links: { self: url.href, ...(next !== undefined && { next }) },
      meta: { paging: { total: rows.length, limit } },
    }
    const leadsTo = next === undefined ? undefined : new URL(next).searchParams.get('cursor')
    return { status: 200, document, ...(lie && { lie }), ...(leadsTo && { next: leadsTo }) }
  }

  #beginOf(list: List, cursor: string | null): number {
    if (cursor === null) return 0
    const [, place = ''] = cursor.split('.')
    if (list.isCounted) return Number(place)
    return list.at(this.#network.simulation.now).filter(({ id }) => id <= place).length
  }

  #cursorAfter(list: List, count: number, id: string): string {
    return `${list.type}.${list.isCounted ? count : id}`
  }

  #nextOf(url: URL, cursor: string | null, honest: string | undefined): { next?: string; lie?: Lie } {
    const link = (to: string, change: (url: URL) => void = () => {}) => {
      const next = new URL(url)
      next.searchParams.set('cursor', to)
      change(next)
      return next.href
    }
    if (honest === undefined) return {}
    const { lies, circleBack } = this.state
    if (lies.has('ends early')) return { lie: 'ends early' }
    if (lies.has('other query'))
      return { next: link(honest, (one) => one.searchParams.set('limit', '200')), lie: 'other query' }
    if (lies.has('other path')) return { next: link(honest, (one) => (one.pathname += '/archived')), lie: 'other path' }
    if (lies.has('circle') && cursor !== null) {
      const key = `${url.pathname} ${cursor}`
      const back = this.#circles.get(key) ?? this.#ancestorOf(cursor, Math.floor(circleBack))
      if (back !== undefined && (this.#circles.has(key) || this.#circles.size === 0)) {
        this.#circles.set(key, back)
        return { next: link(back), lie: 'circle' }
      }
    }
    if (cursor !== null) this.#before.set(honest, cursor)
    return { next: link(honest) }
  }

  #ancestorOf(cursor: string, steps: number): string | undefined {
    let at: string | undefined = cursor
    for (let i = 0; i < steps && at !== undefined; i++) at = this.#before.get(at)
    return at
  }

  endCircles() {
    this.#circles.clear()
  }
}
