// `npm run bench`: Vitrine and its peers, on the same platform stand-in, in the same run. Takes a good two minutes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, stop } from './child.mjs'
import { failuresIn, figuresOf } from './figures.mjs'
import { machineFacts } from './machine.mjs'
import { readOptions } from './options.mjs'
import { save, toMarkdown } from './report.mjs'
import { measure } from './rounds.mjs'
import { proxy } from './subjects/proxy.mjs'
import { vitrine } from './subjects/vitrine.mjs'
import { works } from './works.mjs'

const say = (line) => process.stdout.write(`${line}\n`)
const peersHere = () => JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).dependencies

async function run(options) {
  const { rounds, seconds, connections } = options
  const startedAt = new Date().toISOString()
  const standIn = await start([process.execPath, join(import.meta.dirname, 'platform/stand-in.mjs')], {
    core: 'others',
  })
  const platform = { origin: `http://127.0.0.1:${await standIn.firstLine}`, pid: standIn.pid }
  const figures = []
  for (const work of options.works) {
    say(work.about)
    figures.push(figuresOf(await measure(work, { platform, options, say })))
  }
  await stop(standIn)
  const machine = { ...machineFacts(), peers: peersHere() }
  return { startedAt, machine, load: { rounds, seconds, connections }, figures }
}

try {
  const report = await run(readOptions({ works, subjects: [vitrine, proxy] }))
  const markdown = toMarkdown(report)
  say(`\n${markdown}`)
  say(`Saved as ${save(report, markdown)}.json and .md`)
  const failures = failuresIn(report.figures)
  if (failures > 0) say(`${failures} requests failed: these figures are worth nothing`)
  process.exit(failures > 0 ? 1 : 0)
} catch (error) {
  process.stderr.write(`bench: ${error.message}\n`)
  process.exit(1)
}
