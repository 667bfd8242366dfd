// The client that reads the platform and flattens by itself, beside the same client reading through Vitrine: what a flat page
// costs whom. Here the client is what has a core to itself.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, stop } from '../child.mjs'
import { summarize } from '../figures.mjs'
import { temporaryFolder } from '../leftovers.mjs'
import { vitrine } from '../subjects/vitrine.mjs'
import { enter, own, raw, sparseQuery } from './kit.mjs'

const program = join(import.meta.dirname, '../load/reader.mjs')
const readers = 8

async function readOnce(way, seconds) {
  const file = join(temporaryFolder(), 'orders.json')
  writeFileSync(file, JSON.stringify({ ...way, readers, seconds }))
  const client = await start([process.execPath, program, file], { core: 'subject' })
  const told = JSON.parse(await client.firstLine)
  await stop(client)
  return told
}

const line = ({ about, perSecond, ownMs }) => `| ${about} | ${perSecond.toFixed(0)} | ${ownMs.toFixed(2)} |`

export const direct = {
  name: 'direct',
  about: 'A client that flattens by itself',

  async run(bench) {
    const service = await enter(bench, vitrine, { core: 'others' })
    const platform = { origin: bench.platform.origin, headers: { authorization: 'Bearer fixed' } }
    const few = sparseQuery()
    const ways = [
      {
        about: 'through Vitrine, flat already',
        origin: service.origin,
        targets: own.page(service),
        flattens: 'nothing',
      },
      { about: 'direct, jsona', flattens: 'jsona', origin: platform.origin, targets: raw.page(platform) },
      { about: 'direct, kitsu-core', flattens: 'kitsu-core', origin: platform.origin, targets: raw.page(platform) },
      {
        about: 'direct, jsona, asking for as little as we do',
        flattens: 'jsona',
        origin: platform.origin,
        targets: raw.page(platform, few),
      },
    ].map((way) => ({ ...way, rounds: [] }))
    for (let number = 1; number <= bench.options.rounds; number++)
      for (const way of ways) way.rounds.push(await readOnce(way, bench.options.seconds))
    const results = ways.map(({ about, rounds }) => summarize({ about, rounds }))
    const note = [
      `## ${this.about}`,
      '',
      '| A page of 50, 8 at a time | pages/s | CPU ms of the client each |',
      '| --- | ---: | ---: |',
      ...results.map(line),
    ].join('\n')
    return { tables: [], goals: [], notes: [note], rounds: results }
  },
}
