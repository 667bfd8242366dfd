// Callers that create containers: several with one Idempotency-Key at once, again after what failed, and with another body.
import type { Around, Callers } from './callers.ts'
import { createContainer } from '../../../src/routes/containers.ts'
import type { Wish } from './expectations.ts'
import type { Create } from './plan.ts'
import { mostContainers, type Outcome } from './service.ts'
import type { ContainersWorld } from './world.ts'

/** a look, a creation and a start of a minute each that the engine answers late, and the removal of what was made */
const mostMs = 260_000
const againMs = [50, 4_000] as const
const allowed = new Set<string>([
  ...createContainer.refusals,
  '201',
  'idempotency_conflict',
  'idempotency_in_progress',
  'store_unavailable',
])

export interface Creation {
  readonly account: string
  readonly key: string | undefined
  /** of the body */
  readonly label: string
  readonly name: string | null
  readonly ttlSeconds: number
  readonly idleTimeoutSeconds: number | null
  readonly command: 'run' | 'broken' | null
}

function bodyOf({ account, key, label, name, ttlSeconds, idleTimeoutSeconds, command }: Creation) {
  return {
    image: 'base',
    name,
    labels: { body: label, ...(key !== undefined && { wish: `${account}/${key}` }) },
    limits: { cpu: 0.1, memoryMiB: 32 },
    ttlSeconds,
    idleTimeoutSeconds,
    command: command && [command],
  }
}

export class Creations {
  readonly #world: ContainersWorld
  readonly #callers: Callers

  constructor(world: ContainersWorld, callers: Callers) {
    this.#world = world
    this.#callers = callers
  }

  begin(item: Create) {
    const { simulation } = this.#world
    const random = simulation.random.fork(`create ${item.key} ${item.atMs}`)
    // equal ones come again together
    const pauses = Array.from({ length: item.tries }, () => random.between(...againMs))
    for (let n = 0; n < item.copies + item.others; n++) {
      const creation = { ...item, label: n < item.copies ? 'first' : 'other' }
      let left = item.tries
      const attempt = () => {
        left--
        let isOver = false
        const ended = (isWanted: boolean) => {
          if (!isOver && isWanted && left > 0) simulation.after(pauses[left] ?? 0, attempt, simulation.world)
          isOver = true
        }
        this.send(creation, (outcome) =>
          ended(!outcome || outcome.status >= 500 || outcome.code === 'idempotency_in_progress'),
        )
        simulation.after(item.patienceMs, () => ended(true), simulation.world)
      }
      simulation.after(random.between(0, item.spreadMs), attempt, simulation.world)
    }
  }

  send(creation: Creation, heard: (outcome: Outcome | undefined) => void) {
    const { account, key, label } = creation
    const wish = key === undefined ? undefined : this.#world.expectations.wish(`${account}/${key}`)
    if (wish) wish.waiting++
    wish?.bodies.add(label)
    this.#callers.ask({
      name: `create ${key ?? 'without a key'}${label === 'other' ? ', another body' : ''}`,
      mostMs,
      act: (service) => service.create({ account, key, body: bodyOf(creation) }),
      heard: (outcome, around) => {
        if (wish) wish.waiting--
        if (outcome) this.#check(creation, { wish, outcome, around })
        if (wish && outcome) this.#forget(wish, outcome)
        heard(outcome)
      },
    })
  }

  get #mayStoreFail(): boolean {
    return this.#world.plan.items.some(({ kind }) => kind.startsWith('store '))
  }

  /** after a failed first attempt the key is as new */
  #forget(wish: Wish, { status, code }: Outcome) {
    const isFailed = status >= 400 && !code.startsWith('idempotency_')
    if (isFailed && wish.waiting === 0 && !wish.told && !this.#mayStoreFail) wish.bodies.clear()
  }

  #check(creation: Creation, { wish, outcome, around }: { wish: Wish | undefined; outcome: Outcome; around: Around }) {
    const { code } = outcome
    if (!allowed.has(code)) this.#world.break(`a creation is not answered by ${code}`)
    if (code === '201') {
      this.#world.expectations.acknowledge(creation.account, outcome)
      // nothing could be cleared, not even the key
      if (this.#mayStoreFail && outcome.body['status'] === 'failed') this.#world.lost.add(String(outcome.body['id']))
      if (wish) this.#checkKey(creation, wish, outcome)
      if (!outcome.isReplayed && outcome.body['status'] === 'deleted') this.#world.break('a new container is there')
    }
    if (code === 'idempotency_conflict' && (wish?.bodies.size ?? 0) < 2)
      this.#world.break('the same body is no conflict')
    this.#checkLeft(code, around)
    if (!around.isSettled) return
    if (code === 'idempotency_in_progress' && wish?.waiting === 0)
      this.#world.break('a request is in progress only while it is')
    if (around.isAlone) this.#checkRefusal(creation, code)
  }

  /** a creation that fails leaves nothing */
  #checkLeft(code: string, { isAlone, isSettled, isDone, isWithoutEngine, unfinished, started }: Around) {
    if (code === '201' || !isAlone) return
    if (isDone && this.#world.rows.started > started)
      this.#world.break('a failed start leaves no row, though the store says that it failed')
    if (isSettled && this.#world.rows.disorder() !== undefined)
      this.#world.break('a failed start leaves no container and no row')
    if (!isWithoutEngine || this.#mayStoreFail || code !== 'engine_unavailable') return
    if (this.#world.rows.unfinished > unfinished) this.#world.break('a creation without an engine leaves no row')
  }

  #checkKey({ label }: Creation, wish: Wish, { body, isReplayed }: Outcome) {
    const { lost } = this.#world
    const [id, text] = [String(body['id']), JSON.stringify(body)]
    const shown = (body['labels'] as Readonly<Record<string, string>>)['body']
    if (shown !== label) this.#world.break('another body with the same Idempotency-Key is a conflict')
    if (wish.isMade && !isReplayed) this.#world.break('a repeated answer says so')
    wish.isMade ||= !isReplayed
    const told = (wish.told ??= { id, body: text })
    if (told.id !== id) this.#world.break('the same Idempotency-Key gets the same container')
    if (!this.#mayStoreFail && !lost.has(id) && told.body !== text)
      this.#world.break('the same Idempotency-Key gets the first answer')
  }

  #checkRefusal({ account, name }: Creation, code: string) {
    const { store } = this.#world
    const counted = `SELECT 1 FROM containers WHERE account = ? AND status NOT IN ('deleted', 'failed')`
    if (code === 'quota_exceeded' && store.look(counted, account).length < mostContainers)
      this.#world.break('what is gone counts no longer')
    const namesakes = `SELECT 1 FROM containers WHERE account = ? AND name = ? AND status <> 'deleted'`
    if (code === 'name_in_use' && store.look(namesakes, account, name).length === 0)
      this.#world.break('a name is free once its container is gone')
  }
}
