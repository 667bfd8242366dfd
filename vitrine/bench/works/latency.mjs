// What a caller feels who is alone: one resource through Vitrine, beside the same call straight to the platform.
import { join } from 'node:path'
import { start, stop } from '../child.mjs'
import { most, ratio, summarize } from '../figures.mjs'
import { cpuMsOf } from '../machine.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter } from './kit.mjs'

const program = join(import.meta.dirname, '../load/latency.mjs')
const samples = 2_000
const bound = 1.6
/** beside the platform, a direct call never leaves its core, unlike a call to a real platform; so both are reported */
const places = [
  { name: 'on the core of the platform', core: 'others', bound },
  { name: 'on the core of the service', core: 'subject', bound },
]
const us = (ms) => `${Math.round(ms * 1_000)} µs`

export const latency = {
  name: 'latency',
  about: 'Added latency, one caller, one resource',

  async run(bench) {
    const subject = await enter(bench, vitrine)
    const ways = [
      { name: 'Vitrine', origin: subject.origin, path: vitrine.pathOf.one('alone-{n}'), headers: subject.headers },
      {
        name: 'direct',
        origin: bench.platform.origin,
        path: '/v1/customerReviewResponses/alone-{n}',
        headers: { authorization: 'Bearer fixed' },
      },
    ]
    const orders = JSON.stringify({ ways, rounds: bench.options.rounds, samples })
    const [goals, notes, rounds] = [[], [`## ${this.about}`], {}]
    for (const { name, core, bound } of places) {
      const before = cpuMsOf(subject.child.pid)
      const client = await start([process.execPath, program, orders], { core })
      rounds[name] = JSON.parse(await client.firstLine)
      await stop(client)
      const each = (cpuMsOf(subject.child.pid) - before) / samples / (bench.options.rounds + 1)
      const [through, direct] = rounds[name].map(summarize)
      const measured = ratio(through, direct, 'p50')
      const aside = `${us(through.p50)} and ${us(direct.p50)}; ${us(each)} of processor time in Vitrine`
      goals.push(most({ what: `Added latency: p50 ÷ that of a direct call, ${name}`, bound, measured, aside }))
      const tell = (way) => `${way.name} p50 ${us(way.p50)}, p99 ${us(way.p99)}`
      notes.push(`The caller ${name}: ${tell(through)}; ${tell(direct)}; ${samples} calls each way in a round.`)
    }
    return { tables: [], goals, notes, rounds }
  },
}
