// A program that needs flat pages: reads them over kept connections, flattens what is not flat, and says how many
// it got for how much of its own processor time. Takes the path of a JSON file: { origin, targets, flattens, readers, seconds }.
import { readFileSync } from 'node:fs'
import { Jsona } from 'jsona'
import { deserialise } from 'kitsu-core'
import { Pool } from 'undici'

const { origin, targets, flattens, readers, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const jsona = new Jsona()
const itemsOf = {
  jsona: (document) => jsona.deserialize(document),
  'kitsu-core': async (document) => (await deserialise(document)).data,
  nothing: ({ items }) => items,
}[flattens]
const pool = new Pool(origin, { connections: readers, pipelining: 1 })
let next = 0

async function readOne() {
  const { path, headers } = targets[next++ % targets.length]
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
  const items = await itemsOf(await body.json())
  if (statusCode !== 200 || items.length !== 50) throw new Error(`${path} came with ${statusCode}`)
}

async function readFor(ms) {
  const endsAt = performance.now() + ms
  let pages = 0
  const one = async () => {
    for (; performance.now() < endsAt; pages++) await readOne()
  }
  await Promise.all(Array.from({ length: readers }, one))
  return pages
}

await readFor(1_000)
const [before, begunAt] = [process.cpuUsage(), performance.now()]
const pages = await readFor(seconds * 1_000)
const { user, system } = process.cpuUsage(before)
const took = (performance.now() - begunAt) / 1_000
process.stdout.write(
  `${JSON.stringify({ answers: pages, perSecond: pages / took, ownMs: (user + system) / 1_000 / pages })}\n`,
)
await pool.close()
