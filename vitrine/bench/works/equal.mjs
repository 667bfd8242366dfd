// Equal reads that are under way at once are one platform call.
import { most, single } from '../figures.mjs'
import { createAsker } from '../load/asker.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter } from './kit.mjs'

const [together, bursts] = [100, 10]
/** as the quickest answers of the real platform: all have asked before it comes */
const delayMs = 100

/** held to one call: how many each burst of equal reads took at most, spread over all origins of the subject */
export async function goalOfBursts(bench, { origin, origins = [origin], headers }, where = '') {
  const askers = origins.map((one) => createAsker(one))
  await bench.platform.delay(delayMs)
  let highest = 0
  for (let number = 0; number < bursts; number++) {
    await bench.platform.calls()
    const path = vitrine.pathOf.page(`BURST-${number}`)
    const asked = Array.from({ length: together }, (_, i) => askers[i % askers.length].ask(path, headers))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    if (statuses.some((status) => status !== 200)) throw new Error(`a burst of equal reads: ${statuses.join()}`)
    highest = Math.max(highest, await bench.platform.calls())
  }
  await bench.platform.delay(0)
  for (const asker of askers) asker.close()
  const what = `${together} equal reads at once${where}: platform calls`
  return most({ what, bound: 1, measured: single(highest), aside: `the worst of ${bursts} bursts` })
}

export const equal = {
  name: 'equal',
  about: 'Equal reads at once',
  run: async (bench) => ({ tables: [], goals: [await goalOfBursts(bench, await enter(bench, vitrine))] }),
}
