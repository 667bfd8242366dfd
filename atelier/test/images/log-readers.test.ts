// Readers of build logs: their number is bounded, and they read and write in large pieces.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import type { LineWriter } from '../../src/exec/stream.ts'
import { createBuildLog } from '../../src/images/build-log.ts'
import { sendLog } from '../../src/images/log-lines.ts'
import type { LogLine } from '../../src/store/image-log-rows.ts'
import { openStore } from '../../src/store/store.ts'
import { openUsedRig } from '../service-rig.ts'

const lineOf = (seq: number, data: string): LogLine => ({ seq, at: 0, step: 1, stream: 'stdout', data })

async function openLogs(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-logs-'))
  const store = await openStore(`sqlite:${join(folder, 'atelier.db')}`)
  t.after(async () => {
    await store.db.close()
    rmSync(folder, { recursive: true })
  })
  return store.images
}

test('a page of a log has at most 64 KiB, but at least one line', async (t) => {
  const rows = await openLogs(t)
  const sizes = [65_536, 30_000, 30_000, 5_536, 1, 100_000, 7]
  for (const [i, size] of sizes.entries()) await rows.addLog('img', lineOf(i + 1, 'a'.repeat(size)))
  const pages: number[][] = []
  for (let after = 0; ;) {
    const some = await rows.log('img', after)
    if (some.length === 0) break
    pages.push(some.map(({ seq }) => seq))
    after = some.at(-1)!.seq
  }
  assert.deepEqual(pages, [[1], [2, 3, 4], [5], [6], [7]])
  await rows.addLog('other', lineOf(1, 'ö'.repeat(40_000)))
  await rows.addLog('other', lineOf(2, 'b'))
  assert.equal((await rows.log('other', 0)).length, 1, 'bytes count, not characters')
})

test('a follower reads and writes once for the lines that come within 50 ms', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stored: LogLine[] = []
  let [changed, reads, status] = [() => {}, 0, 'building' as 'building' | 'ready']
  const sent: number[] = []
  const lines = { send: async (...some: object[]) => void sent.push(some.length), end: () => void sent.push(-1) }
  const rows = {
    statusOf: async () => status,
    log: async (_: string, after: number) => {
      reads++
      return stored.filter(({ seq }) => seq > after)
    },
  }
  const watch = (_: string, listener: () => void) => ((changed = listener), () => {})
  const { signal } = new AbortController()
  const request = { image: 'img', after: 0, isFollowed: true, signal }
  const over = sendLog(lines as unknown as LineWriter, request, rows, { watch })
  const settle = () => new Promise((ok) => setImmediate(ok))
  await settle()
  for (let seq = 1; seq <= 1_000; seq++) {
    stored.push(lineOf(seq, 'x'))
    changed()
    if (seq % 100 === 0) await settle()
  }
  assert.deepEqual([reads, sent], [1, []])
  t.mock.timers.tick(50)
  await settle()
  assert.deepEqual(sent, [1_000])
  status = 'ready'
  changed()
  await settle()
  t.mock.timers.tick(50)
  await over
  assert.deepEqual(sent, [1_000, -1])
  assert.ok(reads <= 5, `${reads}`)
})

test('a log of single characters ends by what its rows take', async () => {
  let rows = 0
  const log = createBuildLog({ add: async () => ++rows, mostBytes: 65_000, now: () => 0 })
  for (let n = 0; n < 5_000; n++) await log.output(1, 'stdout', Buffer.from('x'))
  assert.equal(rows, 1_001)
})

test('an account reads 32 logs at once, and a place is free when its answer is closed', async (t) => {
  const rig = await openUsedRig(t)
  const body = { name: 'own', dockerfile: 'FROM base\nRUN ["hang"]' }
  const { id } = (await rig.call('POST', '/images', { key: rig.key, body })).body
  const path = `/images/${id}/logs?follow=true`
  const headers = { authorization: `Bearer ${rig.key}` }
  const open = () =>
    new Promise<IncomingMessage>((ok) => get(`${rig.rig.service.url}${path}`, { headers, agent: false }, ok))
  const readers = await Promise.all(Array.from({ length: 32 }, open))
  assert.ok(readers.every(({ statusCode }) => statusCode === 200))
  const refused = await rig.call('GET', path, { key: rig.key })
  assert.deepEqual([refused.status, refused.body.error.type, refused.headers['retry-after']], [429, 'log_limit', '1'])
  readers[0]?.destroy()
  await until(async () => {
    const next = await open()
    next.destroy()
    return next.statusCode === 200
  })
  for (const one of readers) one.destroy()
})
