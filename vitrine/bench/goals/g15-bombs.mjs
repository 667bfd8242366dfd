// G15: 64 answers at once of 400 kB that unpack to 400 MiB, each on a platform key of its own, so that none waits for another.
import { setTimeout as wait } from 'node:timers/promises'
import { atMost, exactly, most, p50, shownTally, timesOf, told } from './measures.mjs'
import { assetPath } from './scene.mjs'

const tenants = Array.from({ length: 64 }, (_, number) => `t${number}`)

export const bombs = {
  ids: ['G15'],
  about: '64 simultaneous bombs of 400 MiB',
  async run(scene, { full }) {
    const platform = await scene.platform({ warm: { bad: [{ kind: 'bomb' }] } })
    const service = await scene.service({ platform: platform.origin, connections: tenants })
    const caller = scene.caller(service)
    const lookout = scene.caller(service)
    for (let i = 0; i < 3; i++) await Promise.all(tenants.map((id) => caller.ask(assetPath(id)(i))))
    await platform.rule({ '*': { bad: [{ kind: 'bomb' }] } })
    const before = service.residentMiB()
    service.forgetPeak()
    let isOver = false
    const watched = lookout.pace(50, { isOver: () => isOver, pathOf: () => '/healthz' })
    await wait(1_000)
    const startedAt = performance.now()
    const answers = []
    for (let round = 0; round < (full ? 10 : 2); round++)
      answers.push(...(await Promise.all(tenants.map((id) => caller.ask(assetPath(id)(1_000 + round))))))
    const tookMs = performance.now() - startedAt
    await wait(500)
    isOver = true
    const health = timesOf(await watched)
    return [
      exactly('G15', 'answers other than 502', answers.filter(({ status }) => status !== 502).length, 0, {
        note: shownTally(answers),
      }),
      atMost('G15', 'growth of resident memory', service.peakMiB() - before, 150, {
        unit: 'MiB',
        note: `from ${Math.round(before)} to ${Math.round(service.peakMiB())} MiB`,
      }),
      atMost('G15', 'slowest /healthz meanwhile', most(health), 250, {
        unit: 'ms',
        note: `p50 ${p50(health).toFixed(1)} ms`,
      }),
      told('G15', 'all answered after', tookMs, { unit: 'ms' }),
    ]
  },
}
