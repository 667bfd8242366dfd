// G07: how many calls an outage costs the platform for each that was needed. G08: how fast callers learn of it, and of its end.
import { setTimeout as wait } from 'node:timers/promises'
import { atLeast, atMost, good, most, p99, shownTally, timesOf, told } from './measures.mjs'
import { assetPath } from './scene.mjs'
import { keyIdOf } from './service.mjs'

const status = (code) => ({ kind: 'status', status: code })
const outages = { b: [status(503)], c: [status(500)], d: [{ kind: 'reset' }] }
const names = { a: 'refused', b: '503', c: '500', d: 'reset' }

/** what the log says of a connection's requests */
function costOf(service, connection) {
  const answered = service.events().filter((event) => event.kind === 'answered' && event.connection === connection)
  const sum = (name) => answered.reduce((so, event) => so + (event[name] ?? 0), 0)
  return { calls: sum('platformCalls'), retries: sum('retries') }
}

async function fullOutages(scene, { full }) {
  const rules = Object.fromEntries(Object.entries(outages).map(([id, bad]) => [keyIdOf(id), { bad }]))
  const platform = await scene.platform(rules)
  const service = await scene.service({ platform: platform.origin, connections: ['a', 'b', 'c', 'd'] })
  const caller = scene.caller(service)
  const count = full ? 2_000 : 200
  const rows = []
  for (const id of ['b', 'c', 'd', 'a']) {
    const before = await platform.counts()
    if (id === 'a') await platform.kill()
    // forty a second, so that there is time to try the platform anew
    const answers = await caller.pace(40, { seconds: count / 40, pathOf: assetPath(id) })
    const { calls, retries } = costOf(service, id)
    const counted =
      id === 'a' ? calls : ((await platform.counts())[keyIdOf(id)]?.calls ?? 0) - (before[keyIdOf(id)]?.calls ?? 0)
    const note = `${counted} calls, ${retries} of them repeats; answers ${shownTally(answers)}`
    rows.push(atMost('G07', `calls per request, ${names[id]}, ${count} requests`, counted / count, 1.1, { note }))
  }
  return rows
}

async function randomErrors(scene, { full }) {
  const bad = [status(500), status(503), status(502), { kind: 'reset' }]
  const platform = await scene.platform({ '*': { bad, share: 0.1 } })
  const service = await scene.service({ platform: platform.origin })
  const count = full ? 20_000 : 2_000
  const answers = await scene.caller(service).keep(8, { count, pathOf: assetPath('a') })
  const { calls } = (await platform.counts())[keyIdOf('a')]
  return [
    atMost('G07', `calls per request, 10 % random errors, ${count} requests`, calls / count, 1.15, {
      note: `${calls} calls`,
    }),
    told('G07', 'answered 200 under 10 % random errors', good(answers).length, { note: shownTally(answers) }),
  ]
}

export const amplification = {
  ids: ['G07'],
  about: 'Retry amplification',
  run: async (scene, options) => [...(await fullOutages(scene, options)), ...(await randomErrors(scene, options))],
}

const fastMs = 20

async function oneCycle(caller, platform, deadMs) {
  const answers = []
  let isOver = false
  let number = 0
  const load = caller.pace(200, { isOver: () => isOver, pathOf: assetPath('a'), each: (one) => answers.push(one) })
  await wait(1_500)
  await platform.kill()
  const diedAt = performance.now()
  await wait(deadMs)
  const before = answers.length
  await platform.comeBack()
  const backAt = performance.now()
  const isBack = () => answers.slice(before).find((one) => one.status === 200)
  while (!isBack() && performance.now() - backAt < 15_000) await wait(10)
  await wait(500)
  isOver = true
  await load
  const refused = answers.filter((one) => one.sentAt > diedAt && one.endedAt < backAt && one.status !== 200)
  return {
    firstFastMs: (refused.find(({ ms }) => ms <= fastMs)?.endedAt ?? Number.POSITIVE_INFINITY) - diedAt,
    fast: timesOf(refused.filter(({ sentAt }) => sentAt > diedAt + 1_000)),
    recoveryMs: (isBack()?.endedAt ?? Number.POSITIVE_INFINITY) - backAt,
    answers,
    number,
  }
}

export const recovery = {
  ids: ['G08'],
  about: 'Fast failure and recovery: 200 requests a second, the platform is killed and comes back',
  async run(scene, { full, say }) {
    const platform = await scene.platform()
    const service = await scene.service({ platform: platform.origin })
    const caller = scene.caller(service)
    await caller.pace(200, { seconds: 2, pathOf: assetPath('a', 1_000_000) })
    const cycles = []
    for (let i = 0; i < (full ? 20 : 3); i++) {
      const deadMs = [2_200, 4_500, 8_500][i % 3] + 50 * i
      const cycle = await oneCycle(caller, platform, deadMs)
      say(
        `  dead for ${deadMs} ms: fast after ${Math.round(cycle.firstFastMs)} ms, back after ${Math.round(cycle.recoveryMs)} ms`,
      )
      cycles.push(cycle)
    }
    const answers = cycles.flatMap((cycle) => cycle.answers)
    return [
      atMost('G08', 'first fast answer after the platform died', most(cycles.map((one) => one.firstFastMs)), 1_000, {
        unit: 'ms',
      }),
      atMost('G08', 'p99 of answers while it is dead', p99(cycles.flatMap(({ fast }) => fast)), fastMs, { unit: 'ms' }),
      atMost('G08', 'first 200 after it came back', most(cycles.map((one) => one.recoveryMs)), 6_000, { unit: 'ms' }),
      atLeast('G08', 'cycles', cycles.length, full ? 20 : 3, { note: shownTally(answers) }),
    ]
  },
}
