// The callers: each walks over one list, page by page through any replica, asks again where a page fails, and once tries what must
// be refused.
import type { Page, PageAsked } from './replica.ts'
import type { Walk } from './plan.ts'
import { WalkOracle } from './oracles.ts'
import type { CursorsWorld } from './world.ts'

const [noAnswerMs, mostTries] = [30_000, 8]
const again = new Set(['upstream_timeout', 'upstream_unavailable', 'no answer'])

interface Standing {
  readonly walk: Walk
  readonly oracle: WalkOracle
  cursor: string | undefined
  tries: number
  hasTried: boolean
  readonly ended: (code: string) => void
}

export class Callers {
  readonly #world: CursorsWorld
  readonly outcomes: Record<string, number> = {}
  #underWay = 0

  constructor(world: CursorsWorld) {
    this.#world = world
  }

  isBusy(): boolean {
    return this.#underWay > 0
  }

  begin(walk: Walk, ended: (code: string) => void = () => {}) {
    const oracle = new WalkOracle(this.#world, walk)
    const standing: Standing = { walk, oracle, cursor: undefined, tries: 0, hasTried: false, ended }
    this.#step(standing)
  }

  #later(ms: number, act: () => void) {
    const { simulation } = this.#world
    simulation.after(ms, act, simulation.world)
  }

  /** asks some replica that runs; `answered` happens once, in an event of the world */
  #ask(asked: PageAsked, answered: (page: Page | undefined) => void) {
    const { simulation, nodes, replicas } = this.#world
    const node = simulation.random.fork(`node ${simulation.now}`).pick(nodes)
    const { life } = node
    let isOver = false
    this.#underWay++
    const end = (page?: Page) => {
      if (isOver) return
      isOver = true
      this.#underWay--
      answered(page)
    }
    this.#later(noAnswerMs, () => end())
    if (node.isDown) return this.#later(1, () => end())
    const run = () => {
      const replica = replicas.get(node)
      if (!replica) return
      const told = (page: Page) => void (node.life === life && this.#later(1, () => end(page)))
      replica.read(asked).then(told, this.#world.failed)
    }
    return simulation.after(1, run, node)
  }

  #step(one: Standing) {
    const { walk, oracle, cursor } = one
    const { list, limit } = walk
    const asking = oracle.ask()
    this.#ask({ list, limit, cursor }, (page) => {
      const code = page?.code ?? 'no answer'
      if (page) asking(page)
      if (again.has(code)) return this.#askAgain(one)
      if (!page || code !== 'page') return this.#end(one, code)
      one.tries = 0
      one.cursor = page.next ?? undefined
      if (page.next === null) return this.#end(one, 'complete')
      if (!one.hasTried && walk.tries !== 'nothing') this.#try(one, page.next)
      return this.#later(walk.pauseMs, () => this.#step(one))
    })
  }

  #askAgain(one: Standing) {
    if (++one.tries > mostTries) return this.#end(one, 'given up')
    return this.#later(1_000 * 2 ** one.tries, () => this.#step(one))
  }

  #end({ walk, oracle, ended }: Standing, code: string) {
    if (code === 'complete') oracle.checkWhole()
    this.outcomes[code] = (this.outcomes[code] ?? 0) + 1
    this.#world.simulation.tell(`the walk over the list ${walk.list} ends: ${code}`)
    ended(code)
  }

  #try(one: Standing, cursor: string) {
    const { walk, oracle } = one
    const { list, limit, tries } = walk
    one.hasTried = true
    if (tries === 'another text') {
      const at = Math.floor(cursor.length / 2)
      const other = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
      this.#ask({ list, limit, cursor: other }, (page) => oracle.checkRefused(page, 'cursor_invalid'))
    } else if (tries === 'another list') {
      const other = list === 'plain' ? { list, connection: 'other' } : { list: 'plain' as const }
      this.#ask({ ...other, limit, cursor }, (page) => oracle.checkRefused(page, 'cursor_mismatch'))
    } else {
      const compare = oracle.twice()
      for (let i = 0; i < 2; i++) this.#later(i, () => this.#ask({ list, limit, cursor }, compare))
    }
  }
}
