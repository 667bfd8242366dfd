// What floods do to others: `node bench/floods.mjs [--seconds 60] [--only drip,guess]`. Valid callers, at another address than the
// flood and at the same one, are measured without it, amid it and after it; and so are memory and descriptors of the service.
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { start, stop } from './child.mjs'
import { peakMiBOf } from './machine.mjs'
import { openPlatform } from './platform/platform.mjs'
import { vitrine } from './subjects/vitrine.mjs'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } } })
const seconds = Number(values.seconds)
const [elsewhere, here] = ['127.0.9.1', '127.0.0.1']

const floods = [
  { name: 'drip', about: '5,000 dripping sockets, default limits', count: 5_000 },
  { name: 'drip', about: '5,000 dripping sockets, no limit by address', count: 5_000, perAddress: 0 },
  { name: 'openAndClose', about: '2,000 sockets a second, opened and closed', count: 2_000 },
  { name: 'guess', about: '10,000 bad keys a second', count: 10_000 },
].filter(({ name }) => !values.only || values.only.split(',').includes(name))

const descriptorsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length

function ask({ origin, headers }, localAddress) {
  const beganAt = performance.now()
  const { hostname: host, port } = new URL(origin)
  const path = vitrine.pathOf.one('r1')
  return new Promise((ok) => {
    const req = request({ host, port, path, headers, localAddress, agent: false }, (res) => {
      res.resume().once('end', () => ok({ good: res.statusCode === 200, ms: performance.now() - beganAt }))
    })
    req.once('error', () => ok({ good: false, ms: performance.now() - beganAt }))
    req.end()
  })
}

/** eight callers, half of them at the flood's own address */
async function callFor(subject, ms) {
  const endsAt = performance.now() + ms
  const answers = { [elsewhere]: [], [here]: [] }
  const each = async (address) => {
    while (performance.now() < endsAt) {
      answers[address].push(await ask(subject, address))
      await wait(5)
    }
  }
  await Promise.all([elsewhere, elsewhere, elsewhere, elsewhere, here, here, here, here].map(each))
  return Object.fromEntries(
    Object.entries(answers).map(([address, all]) => {
      const sorted = all.map((one) => one.ms).sort((a, b) => a - b)
      const p99 = Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? 0) * 10) / 10
      return [address, { asked: all.length, failed: all.filter(({ good }) => !good).length, p99 }]
    }),
  )
}

async function measure({ name, about, count, perAddress }, platform) {
  const settings = perAddress === undefined ? {} : { limits: { connectionsPerAddress: perAddress } }
  const subject = await vitrine.start({ platform, core: 'subject', settings })
  const { pid } = subject.child
  const port = new URL(subject.origin).port
  await callFor(subject, 3_000)
  const before = await callFor(subject, 5_000)
  const descriptors = descriptorsOf(pid)
  const calmMiB = peakMiBOf(pid)
  const given = [join(import.meta.dirname, 'flood.mjs'), name, port, String(seconds), String(count)]
  const flood = await start([process.execPath, ...given], { core: 'others' })
  await flood.firstLine
  const lines = []
  flood.child.stdout.on('data', (part) => lines.push(String(part)))
  await wait(1_000)
  const amid = await callFor(subject, seconds * 1_000 - 2_000)
  const most = descriptorsOf(pid)
  while (!flood.hasEnded()) await wait(50)
  await wait(1_000)
  const after = descriptorsOf(pid)
  const told = JSON.parse(lines.join('').trim())
  const floodMiB = peakMiBOf(pid)
  await stop(subject.child)
  return { about, before, amid, descriptors: [descriptors, most, after], peakMiB: [calmMiB, floodMiB], told }
}

const platform = await openPlatform({ core: 'others' })
for (const flood of floods) process.stdout.write(`${JSON.stringify(await measure(flood, platform.origin), null, 1)}\n`)
await stop(platform.child)
