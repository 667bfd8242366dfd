// Walks over lists that change, page by page through one to four replicas, with what docs/guides/paging.md promises of them.
import { runScene, type Scene } from '../../../../base/test/simulator/run-scene.ts'
import type { RunOptions, Subject } from '../../../../base/test/simulator/subject.ts'
import { Callers } from './callers.ts'
import { describe, isFault, type Item, listNames, makePlan, type Plan, smaller } from './plan.ts'
import { CursorsWorld } from './world.ts'

const settledMs = 60_000
const walkedMs = 15 * 60_000

function createScene(plan: Plan): Scene<Item> {
  const world = new CursorsWorld(plan)
  const { network, platform, faults } = world
  const { simulation } = network
  const callers = new Callers(world)
  const walked = new Set<string>()

  /** every list can be walked to its end again */
  function walkAll() {
    for (const list of listNames) {
      const walk = { kind: 'walk', atMs: simulation.now, list, limit: 10, pauseMs: 10, tries: 'nothing' } as const
      callers.begin(walk, (code) => code === 'complete' && walked.add(list))
    }
  }

  function checkWalked() {
    for (const list of listNames) if (!walked.has(list)) world.break(`once all is well, the list ${list} can be read`)
  }

  return {
    network,
    begin(item) {
      if (isFault(item)) return faults.begin(item)
      if (item.kind === 'walk') return callers.begin(item)
      simulation.tell(`the list ${item.list} changes: ${item.renews ? 'renewed' : `+${item.adds} -${item.removes}`}`)
      return platform.change(item)
    },
    calm() {
      simulation.tell('all faults are over')
      simulation.after(settledMs, walkAll, simulation.world)
      simulation.after(settledMs + walkedMs, checkWalked, simulation.world)
    },
    pace: { idleMs: 0, awakeMs: 20_000, longestMs: Infinity },
    look: () => {},
    isIdle: () => !callers.isBusy(),
    outcomes: callers.outcomes,
  }
}

export const subject: Subject<Item, Plan> = {
  makePlan,
  describe,
  runPlan: (plan: Plan, options?: RunOptions) => runScene(plan, describe(plan), createScene(plan), options),
  smaller,
  usual: ['complete'],
}
