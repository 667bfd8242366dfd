// G01 and G02: steady and heavy load of pages of 50 items, over ids that are all different. G03: what the service itself adds.
import { join } from 'node:path'
import { start } from '../child.mjs'
import { atLeast, atMost, exactly, p50, p99, told } from './measures.mjs'

const program = join(import.meta.dirname, 'load.mjs')
const codes = '/v1/connections/a/subscriptions/{id}/offer-codes'
const apps = '/v1/connections/a/apps?id={id}'

async function load(service, { path = codes, connections, seconds }) {
  const orders = { origin: service.origin, path, idsEach: 100, connections, seconds }
  const headers = { authorization: `Bearer ${service.key}` }
  const child = await start([process.execPath, program, JSON.stringify({ ...orders, headers })])
  return JSON.parse(await child.firstLine)
}

async function openOne(scene) {
  const platform = await scene.platform()
  const service = await scene.service({ platform: platform.origin })
  // what is compiled late is not what is asked here
  await load(service, { connections: 16, seconds: 4 })
  return service
}

const outcomesOf = ({ outcomes }) => JSON.stringify(outcomes).replaceAll('"', '')

export const steady = {
  ids: ['G01'],
  about: 'Steady load: 50-item pages, 64 in progress',
  async run(scene, { full, say }) {
    const service = await openOne(scene)
    const before = service.processorMs()
    const seen = await load(service, { connections: 64, seconds: full ? 600 : 20 })
    scene.late(seen.max)
    say(`  answers of ${seen.bytes} bytes, p50 ${seen.p50} ms`)
    const perRequest = (service.processorMs() - before) / seen.good
    const large = await load(service, { path: apps, connections: 64, seconds: full ? 60 : 5 })
    scene.late(large.max)
    return [
      atLeast('G01', 'pages of 50 offer codes, 64 in progress', seen.perSecond, 1_200, { unit: '/s' }),
      atMost('G01', 'p99', seen.p99, 100, { unit: 'ms' }),
      atMost('G01', 'slowest', seen.max, 1_000, { unit: 'ms' }),
      exactly('G01', 'answers other than 2xx', seen.bad, 0, { note: outcomesOf(seen) }),
      told('G01', 'processor time of the service for one', perRequest, { unit: 'ms' }),
      told('G01', 'pages of 50 apps, of 125 kB each', large.perSecond, { unit: '/s', note: `p99 ${large.p99} ms` }),
    ]
  },
}

export const heavy = {
  ids: ['G02'],
  about: 'Heavy concurrency: 256 in progress',
  async run(scene, { full }) {
    const service = await openOne(scene)
    const seen = await load(service, { connections: 256, seconds: full ? 300 : 15 })
    scene.late(seen.max)
    return [
      atLeast('G02', 'pages of 50 offer codes, 256 in progress', seen.perSecond, 1_000, { unit: '/s' }),
      atMost('G02', 'p99', seen.p99, 300, { unit: 'ms' }),
      exactly('G02', 'answers other than 2xx', seen.bad, 0, { note: outcomesOf(seen) }),
    ]
  },
}

export const overhead = {
  ids: ['G03'],
  about: 'Overhead: time in the service less time at the platform, as its log tells it',
  async run(scene, { full }) {
    const service = await openOne(scene)
    const before = service.events().length
    const seen = await load(service, { connections: 8, seconds: full ? 60 : 6 })
    scene.late(seen.max)
    const answered = service
      .events()
      .slice(before)
      .filter(({ kind }) => kind === 'answered')
    const own = answered.map(({ durationMs, platformMs = 0 }) => durationMs - platformMs)
    const waited = answered.map(({ waitedMs = 0 }) => waitedMs)
    return [
      atMost('G03', 'p50 of durationMs - platformMs at 8 in progress', p50(own), 2, { unit: 'ms' }),
      atMost('G03', 'p99', p99(own), 10, { unit: 'ms', note: `of these waiting for a turn: p99 ${p99(waited)} ms` }),
    ]
  },
}
