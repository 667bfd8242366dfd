// G28: how exactly a key's own rate is kept, under ten kinds of load.
import { setTimeout as wait } from 'node:timers/promises'
import { exactly, told } from './measures.mjs'

/** requests a minute, and how many are in progress at once */
const loads = [
  [1, 8],
  [2, 1],
  [10, 64],
  [60, 4],
  [60, 64],
  [100, 32],
  [250, 16],
  [600, 8],
  [600, 64],
  [1_000, 64],
]
const windowMs = 60_000

async function oneLoad(scene, service, [perMinute, inProgress], windows) {
  const caller = scene.caller({ ...service, key: await service.makeKey('--per-minute', String(perMinute)) })
  let [over, under] = [0, 0]
  for (let window = 0; window < windows; window++) {
    const startedAt = performance.now()
    const answers = await caller.keep(inProgress, { count: perMinute + 200, pathOf: () => '/v1/whoami' })
    const admitted = answers.filter(({ status }) => status === 200).length
    over += Math.max(0, admitted - perMinute)
    under += Math.max(0, perMinute - admitted)
    if (window < windows - 1) await wait(windowMs + 500 - (performance.now() - startedAt))
  }
  caller.close()
  return { over, under }
}

export const limiter = {
  ids: ['G28'],
  about: 'Limiter accuracy: rateLimit.perMinute under 10 loads',
  async run(scene, { full }) {
    const platform = await scene.platform()
    const service = await scene.service({ platform: platform.origin })
    const windows = full ? 3 : 1
    const seen = full
      ? await Promise.all(loads.map((load) => oneLoad(scene, service, load, windows)))
      : await inTurn(loads, (load) => oneLoad(scene, service, load, windows))
    const sum = (name) => seen.reduce((so, one) => so + one[name], 0)
    return [
      exactly('G28', `admitted beyond the limit, ${loads.length} loads x ${windows}`, sum('over'), 0),
      exactly('G28', 'refused within the limit', sum('under'), 0),
      told(
        'G28',
        'admitted in all',
        loads.reduce((so, [limit]) => so + limit, 0) * windows + sum('over') - sum('under'),
      ),
    ]
  },
}

async function inTurn(items, act) {
  const done = []
  for (const item of items) done.push(await act(item))
  return done
}
