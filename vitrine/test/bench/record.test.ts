// Records of the bench: what is written is read back, and what has become worse since is told.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { nameOf, readRecord, type Report, resultsFolder, writeRecord } from '../../bench/record.ts'
import { version } from '../../src/version.ts'

interface Wish {
  readonly startedAt?: string
  /** of Vitrine and of its peer, milliseconds of processor time */
  readonly ownMs?: readonly number[]
  readonly peerMs?: readonly number[]
  readonly success?: number
  readonly goals?: Report['figures'][number]['goals']
}

const spread = (least: number, median: number, most: number) => ({ median, least, most, all: [least, median, most] })
const kept = {
  what: 'One resource: rate ÷ a peer',
  bound: 1,
  sign: '≥',
  measured: spread(1.1, 1.2, 1.3),
  isMet: true,
} as const
const unjudged = { what: 'Pages: rate ÷ nginx', bound: 0.6, why: 'nginx is not installed' } as const

function subject(name: string, about: string, ownMs: readonly number[], success = 1) {
  const rounds = ownMs.map((ms) => ({
    perSecond: 1_000 / ms,
    ownMs: ms,
    p50: ms * 2,
    p95: ms * 3,
    p99: ms * 4,
    success,
  }))
  return { name, about, peakMiB: 120.25, ...rounds[1], bytes: Number.NaN, rounds }
}

function reportOf({
  startedAt,
  ownMs = [0.1, 0.11, 0.12],
  peerMs = [0.2, 0.21, 0.22],
  success,
  goals,
}: Wish = {}): Report {
  const results = [subject('vitrine', 'Vitrine', ownMs, success), subject('express', 'Express', peerMs)]
  return {
    startedAt: startedAt ?? '2026-11-23T05:36:11.614Z',
    tookSec: 500,
    machine: { cpu: 'AMD EPYC', cores: 2, node: 'v26.10.0', loadBefore: 0.123456, peers: { express: '5.3.0' } },
    load: { rounds: 5, seconds: 2, connections: 32 },
    figures: [{ work: 'one', tables: [{ title: 'One resource', results }], goals: goals ?? [kept, unjudged] }],
  }
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-records-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const newer = { startedAt: '2026-12-01T10:00:00.000Z' }

/** compares what two such runs recorded, by the command */
function compare(t: TestContext, after: Wish, before: Wish = {}): Promise<{ code: unknown; text: string }> {
  const folder = folderOf(t)
  const files = [before, { ...newer, ...after }].map((wish) => writeRecord(reportOf(wish), folder))
  const program = join(import.meta.dirname, '../../bench/compare.ts')
  return new Promise((ok) =>
    execFile(process.execPath, [program, ...files], (error, text) => ok({ code: error ? error.code : 0, text })),
  )
}

test('a record is named by its day and version, and so are those that are kept', (t) => {
  const files = [writeRecord(reportOf(), folderOf(t)), ...globSync(join(resultsFolder, '*'))]
  assert.equal(basename(files[0] ?? ''), `2026-11-23-${version}.json`)
  for (const file of files) assert.equal(nameOf(readRecord(file)), basename(file))
})

test('a record has every figure of every subject, goals and machine', (t) => {
  const record = readRecord(writeRecord(reportOf(), folderOf(t)))
  assert.deepEqual(record.results[1], {
    work: 'one',
    title: 'One resource',
    name: 'express',
    about: 'Express',
    perSecond: 4_761.9,
    ownMs: 0.21,
    p50: 0.42,
    p95: 0.63,
    p99: 0.84,
    success: 1,
    peakMiB: 120.25,
    rounds: {
      perSecond: [5_000, 4_761.9, 4_545.5],
      ownMs: [0.2, 0.21, 0.22],
      p50: [0.4, 0.42, 0.44],
      p95: [0.6, 0.63, 0.66],
      p99: [0.8, 0.84, 0.88],
      success: [1, 1, 1],
    },
  })
  assert.deepEqual(record.goals, [kept, unjudged])
  const { cpu, loadBefore, peers } = record.machine
  assert.deepEqual([cpu, loadBefore, peers], ['AMD EPYC', 0.12346, { express: '5.3.0' }])
  assert.deepEqual(record.load, { rounds: 5, seconds: 2, connections: 32 })
})

test('a file that is no whole record is refused', (t) => {
  const file = writeRecord(reportOf(), folderOf(t))
  const text = readFileSync(file, 'utf8')
  for (const [from, to] of [
    ['"format": 1', '"format": 2'],
    [`"version": "${version}"`, '"version": ""'],
    ['"p95": 0.63', '"p95": null'],
    ['"success": [1, 1, 1]', '"successes": [1, 1, 1]'],
    ['"median": 1.2', '"median": 1.5'],
    ['"why":', '"because":'],
  ] as const) {
    assert.ok(text.includes(from), from)
    writeFileSync(file, text.replace(from, to))
    assert.throws(() => readRecord(file), /cannot be read/, to)
  }
})

test('two equal runs have nothing worse', async (t) => {
  const { code, text } = await compare(t, {})
  assert.match(text, /Nothing has become worse/)
  assert.equal(code, 0)
})

test('a goal whose ratio has left the rounds of before is told', async (t) => {
  const { code, text } = await compare(t, { goals: [{ ...kept, measured: spread(0.95, 1, 1.05) }] })
  assert.match(text, /One resource: rate ÷ a peer: 1\.2 \(1\.1 to 1\.3\) -> 1 \(0\.95 to 1\.05\), 17 % worse/)
  assert.equal(code, 1)
})

test('a ratio among the rounds of before, or a better one, is not told', async (t) => {
  for (const measured of [spread(0.9, 1.05, 1.25), spread(1.5, 1.6, 1.7)]) {
    const { code, text } = await compare(t, { goals: [{ ...kept, measured }, unjudged] })
    assert.equal(code, 0, text)
  }
})

test('less of what should be small is better', async (t) => {
  const memory = { what: 'Peak memory', bound: 150, sign: '≤', measured: spread(100, 100, 100) } as const
  const more = { ...memory, measured: spread(120, 120, 120) }
  assert.match((await compare(t, { goals: [more] }, { goals: [memory] })).text, /Peak memory: 100 -> 120, 20 % worse/)
  assert.equal((await compare(t, { goals: [memory] }, { goals: [more] })).code, 0)
})

test('a goal that is gone, or judged no more, is told', async (t) => {
  const { text } = await compare(t, { goals: [{ what: kept.what, bound: 1, why: 'no peer' }] })
  assert.match(text, /One resource: rate ÷ a peer: not judged, no peer/)
  assert.match(text, /Pages: rate ÷ nginx: measured no more/)
})

test('times are told as on the machine of before, by what the peers take there', async (t) => {
  const slower = { ownMs: [0.2, 0.22, 0.24], peerMs: [0.4, 0.42, 0.44] }
  const same = await compare(t, slower)
  assert.match(same.text, /take 2\.00 times as much/)
  assert.equal(same.code, 0, same.text)
  const { code, text } = await compare(t, { ...slower, ownMs: [0.3, 0.33, 0.36] })
  assert.match(text, /One resource, vitrine: processor time, ms: 0\.11 \(0\.1 to 0\.12\) -> 0\.165 .*, 50 % worse/)
  assert.match(text, /One resource, vitrine: p99, ms/)
  assert.doesNotMatch(text, /express/)
  assert.equal(code, 1)
})

test('what varies little is told from 5 % as a ratio, and from 10 % as a time', async (t) => {
  const steady = { ownMs: [0.1, 0.1, 0.1], peerMs: [0.2, 0.2, 0.2] }
  const ratioOf = (ratio: number) => ({ goals: [{ ...kept, measured: spread(ratio, ratio, ratio) }] })
  for (const [after, before, code] of [
    [ratioOf(0.96), ratioOf(1), 0],
    [ratioOf(0.94), ratioOf(1), 1],
    [{ ...steady, ownMs: [0.109, 0.109, 0.109] }, steady, 0],
    [{ ...steady, ownMs: [0.111, 0.111, 0.111] }, steady, 1],
  ] as const)
    assert.equal((await compare(t, after, before)).code, code, JSON.stringify(after))
})

test('fewer answers that succeed are told, however few', async (t) => {
  const { text } = await compare(t, { success: 0.9999 })
  assert.match(text, /One resource, vitrine: success 100 % -> 99\.99 %/)
})
