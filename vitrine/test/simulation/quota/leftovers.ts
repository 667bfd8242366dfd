// What callers leave behind once all have their answers: no timer but that of the next check of health, no question to Redis but those
// checks, and nothing in Redis that does not end by itself.
import type { QuotaWorld } from './world.ts'

/** of each replica in this time: three commands for each check, one check a second */
const [countedMs, mostAsked] = [10_000, 36]
const mostTimers = 1

export function checkLeftovers(world: QuotaWorld) {
  const { simulation, redis, replicas, plan } = world
  for (const node of replicas.keys()) {
    const timers = simulation.timersOf(node)
    if (timers > mostTimers) world.break(`no timer is left where no caller waits, and not ${timers}`)
  }
  const { values } = redis.store
  for (const name of values.names()) {
    const endsAt = values.endsAt(name) ?? Infinity
    if (endsAt === Infinity) world.break(`what is in Redis ends by itself, and so does ${name}`)
    if (/:(lease|alive|told):/.test(name) && endsAt !== world.endsLater.get(name))
      world.break(`nothing of a shared read is left: ${name}`)
  }
  const asked = redis.commands
  simulation.after(countedMs, () => {
    const count = redis.commands - asked
    if (count > mostAsked * plan.replicas)
      world.break(`while no caller waits, only checks of health ask Redis, and not ${count} times in 10 s`)
  })
}
