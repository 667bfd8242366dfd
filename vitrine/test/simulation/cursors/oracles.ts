// What docs/guides/paging.md and decisions/next-links.md promise of one walk, told from the history of the lists.
import type { List } from './lists.ts'
import type { Walk } from './plan.ts'
import type { Page } from './replica.ts'
import type { CursorsWorld } from './world.ts'

const [second, hour] = [1_000, 3_600_000]
const dayMs = 24 * hour
/** a stable cursor is dated to the begin of such a period, and lives for the rest of its day at least */
const [periodMs, stableLifeMs] = [11 * hour, 13 * hour]
/** a circle of next links up to so long is refused at once, and a longer one after some laps */
const [shortCircle, mostLaps] = [16, 5]

/** the clock that dates cursors, before and after it was read */
type Times = readonly [number, number]

export class WalkOracle {
  readonly #world: CursorsWorld
  readonly #walk: Walk
  readonly #begunAt: number
  readonly #ids: string[] = []
  readonly #leadsTo: string[] = []
  /** the cursor in hand: when it was made, and with which key */
  #made: { readonly at: Times; readonly key: Buffer } | undefined
  #pages = 0
  #hasLies = false

  constructor(world: CursorsWorld, walk: Walk) {
    this.#world = world
    this.#walk = walk
    this.#begunAt = world.simulation.now
  }

  #break(promise: string) {
    this.#world.break(`${this.#walk.list}: ${promise}`)
  }

  #lists(): List[] {
    return this.#world.platform.listsOf(this.#walk.list)
  }

  /** what is returned takes the answer */
  ask(): (page: Page) => void {
    const { simulation, database } = this.#world
    const [askedAt, clock] = [simulation.now, database.now()]
    return (page) => {
      if (page.lies.length > 0) this.#hasLies = true
      const times: Times = [clock, database.now()]
      if (this.#made) this.#checkCursor(page, this.#made, times)
      if (page.code !== 'page') return this.#checkRefusal(page.code, askedAt)
      this.#checkRows(page, askedAt)
      this.#checkLinks(page)
      this.#ids.push(...page.ids)
      this.#made = { at: times, key: page.key }
    }
  }

  /** with its key a cursor opens for a day, and no longer; with another key never */
  #checkCursor({ code, key }: Page, made: { readonly at: Times; readonly key: Buffer }, times: Times) {
    if (key.equals(made.key) === (code === 'cursor_invalid'))
      this.#break(`a cursor opens with its own key alone, and not: ${code}`)
    if (code === 'cursor_invalid') return
    const ages = [times[0] - made.at[0], times[0] - made.at[1], times[1] - made.at[0], times[1] - made.at[1]]
    const shortest = this.#world.plan.isStable ? stableLifeMs : dayMs
    if (code === 'cursor_expired' && Math.max(...ages) < shortest - 2 * second)
      this.#break(`a cursor lives for ${shortest / hour} h, and not ${(Math.max(...ages) / hour).toFixed(2)} h`)
    if (code !== 'cursor_expired' && Math.min(...ages) > dayMs + 2 * second)
      this.#break(`a cursor ends after a day, and lived ${(Math.min(...ages) / hour).toFixed(2)} h`)
  }

  #checkRefusal(code: string, askedAt: number) {
    const { simulation, platform } = this.#world
    const { list } = this.#walk
    const lists = [...this.#lists(), ...[platform.parentsOf(list) ?? []].flat()]
    const changes = lists.map((one) => one.changes(this.#begunAt, simulation.now))
    const [added, removed] = [changes.some((one) => one.added > 0), changes.some((one) => one.removed > 0)]
    if (code === 'upstream_malformed' && !this.#hasLies && !(added && removed))
      this.#break('an honest list that does not change is not refused')
    if (code === 'cursor_mismatch' && (list !== 'localized' || !removed)) this.#break('a cursor fits its own list')
    const isGone = code === 'resource_not_found' || code === 'localization_not_found'
    // a member of the list above may go: the walk goes on with the others
    if (isGone && (list === 'nested' || !lists.some(({ to }) => to >= askedAt - 2 * 60_000 && to <= simulation.now)))
      this.#break('a list that is there is found')
  }

  #checkRows({ ids, lies }: Page, askedAt: number) {
    const { now } = this.#world.simulation
    const lists = this.#lists()
    for (const id of ids)
      if (!lists.some(({ rows }) => rows.some((row) => row.id === id && row.from <= now && row.to > askedAt)))
        this.#break('a page holds rows that are in its list')
    if (lies.some((lie) => lie === 'other query' || lie === 'other path'))
      this.#break('a next link that asks for something else is refused')
    const twice = ids.find((id) => this.#ids.includes(id))
    if (twice !== undefined && !this.#mayRepeat()) this.#break('no row comes twice')
    if (this.#walk.list !== 'localized') return
    const of = (id: string | undefined) => lists.find(({ rows }) => rows.some((row) => row.id === id))
    if (ids.some((id) => of(id) !== of(this.#ids[0] ?? ids[0])))
      this.#break('a walk stays with the localization that it began with')
  }

  /** a list that is paged by the number of rows may, where it changes, and one whose next links led back */
  #mayRepeat(): boolean {
    return this.#hasLies || (this.#walk.list === 'counted' && this.#hasChanged())
  }

  #hasChanged(): boolean {
    const { now } = this.#world.simulation
    return this.#lists().some((one) => {
      const { added, removed } = one.changes(this.#begunAt, now)
      return added + removed > 0
    })
  }

  #checkLinks({ leadsTo, next }: Page) {
    const { list } = this.#walk
    this.#pages++
    const rows = this.#lists().reduce((sum, one) => sum + one.rows.length, 0)
    if (this.#pages > mostLaps * (rows + 5)) this.#break('a walk in a circle comes to an end')
    if (next === null || leadsTo === undefined || list === 'nested') return
    if (this.#leadsTo.slice(-shortCircle).includes(leadsTo))
      this.#break('a short circle of next links is refused at once')
    this.#leadsTo.push(leadsTo)
  }

  /** the walk says that this was all */
  checkWhole() {
    const { now } = this.#world.simulation
    const lists = this.#lists()
    const removed = lists.some((one) => one.changes(this.#begunAt, now).removed > 0)
    // rows that were removed look like those that a list kept back
    if (this.#hasLies && removed) return
    if (this.#walk.list === 'counted' && this.#hasChanged()) return
    const missing = lists.flatMap((one) => one.throughout(this.#begunAt, now)).filter((id) => !this.#ids.includes(id))
    if (missing.length > 0) this.#break(`no row is lost that was there all the time, and not ${missing.length}`)
  }

  checkRefused(page: Page | undefined, expected: string) {
    if (!page || !this.#made) return
    const code = page.key.equals(this.#made.key) ? expected : 'cursor_invalid'
    if (page.code !== code) this.#break(`it is refused with ${code}, and not ${page.code}`)
  }

  /** two replicas answer the same page: its next cursor is the same text, if pages may be cached */
  twice(): (page: Page | undefined) => void {
    const { plan, simulation, database } = this.#world
    const [begunAt, period] = [simulation.now, Math.floor(database.now() / periodMs)]
    let first: Page | undefined
    return (page) => {
      if (!page || page.code !== 'page' || !plan.isStable) return
      const isSame = Math.floor(database.now() / periodMs) === period
      const changes = this.#lists().map((one) => one.changes(begunAt - second, simulation.now))
      const isComparable =
        isSame &&
        !this.#hasLies &&
        page.lies.length === 0 &&
        changes.every(({ added, removed }) => added + removed === 0)
      if (first && isComparable && first.key.equals(page.key) && first.lies.length === 0 && first.next !== page.next)
        this.#break('the same place has the same cursor at every replica')
      first = page
    }
  }
}
