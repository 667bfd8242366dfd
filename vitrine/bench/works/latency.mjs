// What a caller feels who is alone: one resource through Vitrine, beside the same call straight to the platform, and through the
// least service that undici allows.
import { join } from 'node:path'
import { start, stop } from '../child.mjs'
import { most, ratio, summarize } from '../figures.mjs'
import { cpuMsOf } from '../machine.mjs'
import { undici } from '../subjects/peers.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter } from './kit.mjs'

const program = join(import.meta.dirname, '../load/latency.mjs')
const samples = 2_000
const us = (ms) => `${Math.round(ms * 1_000)} µs`

export const latency = {
  name: 'latency',
  about: 'Added latency, one caller, one resource',

  async run(bench) {
    const subject = await enter(bench, vitrine)
    const raw = { path: '/v1/customerReviewResponses/alone-{n}', headers: { authorization: 'Bearer fixed' } }
    const ways = [
      { name: 'Vitrine', origin: subject.origin, path: vitrine.pathOf.one('alone-{n}'), headers: subject.headers },
      { ...raw, name: 'direct', origin: bench.platform.origin },
      { ...raw, name: 'undici alone', origin: (await enter(bench, undici)).origin },
    ]
    const before = cpuMsOf(subject.child.pid)
    const { rounds } = bench.options
    // on the core of the platform a direct call would never leave its core, which no real platform gives
    const client = await start([process.execPath, program, JSON.stringify({ ways, rounds, samples })], {
      core: 'subject',
    })
    const told = JSON.parse(await client.firstLine)
    await stop(client)
    const each = (cpuMsOf(subject.child.pid) - before) / samples / (rounds + 1)
    const results = told.map((way) => summarize({ ...way, about: way.name }))
    const [through, direct, bare] = results
    const row = {
      what: 'Added latency: p50 ÷ that of a direct call',
      bound: 2.4,
      measured: ratio(through, direct, 'p50'),
      aside: `undici alone ${ratio(bare, direct, 'p50').median.toFixed(2)}`,
    }
    const notes = [`${samples} calls each way in a round; ${us(each)} of processor time in Vitrine for one.`]
    return { tables: [{ title: this.about, results }], goals: [most(row)], notes }
  },
}
