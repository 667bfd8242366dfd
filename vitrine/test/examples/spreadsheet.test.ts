import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'
import { openScene, runProcess, type Scene, slowDown } from './scene.ts'

interface Said {
  readonly table?: readonly (readonly (string | number | boolean)[])[]
  readonly error?: string
  readonly slept: readonly number[]
}

const program = 'test/examples/sheet.ts'

async function enter(scene: Scene, argument: string, env: Record<string, string> = {}): Promise<Said> {
  const { out, err } = await scene.run(process.execPath, [program, argument], { env })
  assert.equal(err, '')
  assert.ok(!out.includes(scene.key))
  return JSON.parse(out) as Said
}

test('the spreadsheet recipe makes a table of all pages, with the field names in the first row', async (t) => {
  const scene = await openScene(t)
  const { table = [] } = await enter(scene, '/apps?limit=10&sort=name&fields=name,bundleId')
  assert.equal(table.length, 1 + 24)
  assert.deepEqual(table[0], ['id', 'name', 'bundleId'])
  assert.deepEqual(table[1], ['6446998019', 'Aurora Almanac', 'com.example.northlight.aurora-almanac'])
  assert.equal(scene.asked.length, 3)
  const ids = await enter(scene, '/apps/6446998001/versions/ids')
  assert.deepEqual(ids.table?.[0], ['id'])
  assert.equal(typeof ids.table?.[1]?.[0], 'string')
  assert.match((await enter(scene, '/apps/6446998001/performance-overviews')).error ?? '', /is no list/)
})

test('the spreadsheet recipe waits after a 429, within the time limit of Google', async (t) => {
  const scene = await openScene(t)
  scene.spoil = (nth) => (nth === 2 ? slowDown : undefined)
  const { table, slept } = await enter(scene, '/apps?limit=10&fields=name')
  assert.equal(table?.length, 25)
  assert.deepEqual(slept, [1000])
  scene.spoil = () => ({ ...slowDown, headers: { 'retry-after': '40' } })
  assert.deepEqual(await enter(scene, '/apps'), { error: 'Slower. (req_slow)', slept: [] })
})

test('the spreadsheet recipe shows an error without rows if a page in the middle fails', async (t) => {
  const scene = await openScene(t)
  scene.trouble('agreement:2@/v1/apps')
  const { table, error } = await enter(scene, '/apps?limit=10')
  assert.equal(table, undefined)
  assert.match(error ?? '', /agreement.* \(req_[\w-]{16}\)$/i)
  scene.spoil = () => ({ status: 302, headers: { location: '/elsewhere' }, body: '' })
  assert.equal((await enter(scene, '/apps')).error, 'Status 302, not from Vitrine.')
  assert.match((await enter(scene, '/apps', { VITRINE_KEY: '' })).error ?? '', /^Set VITRINE_KEY under/)
})

test('text written by testers never becomes a formula in the spreadsheet', async (t) => {
  const written = ['=HYPERLINK("http://evil.example","x")', '+1', '-1', '@SUM(A1)', '\t=1', 'fine', '1=1']
  const data = written.map((comment, i) => ({
    type: 'betaFeedbackScreenshotSubmissions',
    id: `f${i}`,
    attributes: { comment, batteryPercentage: -i },
  }))
  const { service, close } = await startScripted((call, res) =>
    send(res, { data, links: { self: call.url }, meta: { paging: { total: data.length, limit: 50 } } }),
  )
  t.after(close)
  const env = { VITRINE_URL: service.url, VITRINE_KEY: service.key, VITRINE_CONNECTION: 'acme' }
  const path = '/apps/1/beta-feedback-screenshot-submissions?fields=comment,batteryPercentage'
  const { out } = await runProcess(process.execPath, [program, path], { env })
  const { table = [] } = JSON.parse(out) as Said
  const column = table[0]?.indexOf('comment') ?? -1
  assert.deepEqual(
    table.slice(1).map((row) => row[column]),
    [`'=HYPERLINK("http://evil.example","x")`, `'+1`, `'-1`, `'@SUM(A1)`, `'\t=1`, 'fine', '1=1'],
  )
  assert.equal(table[3]?.[table[0]?.indexOf('batteryPercentage') ?? -1], -2)
})

test('the file for Excel is replaced only when it is complete, and a failed read leaves the old one', async (t) => {
  const scene = await openScene(t)
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-recipe-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'apps.csv')
  const env = { VITRINE: resolve('bin/vitrine'), HOME: folder }
  const write = () => scene.run('/bin/sh', ['examples/spreadsheet/apps-csv.sh', file], { env })
  scene.trouble('agreement@/v1/apps')
  const first = await write()
  assert.notEqual(first.code, 0)
  assert.match(first.err, /agreement/i)
  assert.equal(existsSync(file), false)
  scene.trouble()
  const { code, err } = await write()
  assert.equal(code, 0, err)
  const text = readFileSync(file, 'utf8')
  assert.equal(text[0], '\uFEFF')
  const lines = text.slice(1).trimEnd().split('\r\n')
  assert.equal(lines[0], 'id,name,bundleId,sku')
  assert.equal(lines.length, 1 + 24)
  assert.match(lines[1] ?? '', /^6446998019,Aurora Almanac,com\.example\.northlight\.aurora-almanac,/)
  scene.trouble('agreement@/v1/apps')
  assert.notEqual((await write()).code, 0)
  assert.equal(readFileSync(file, 'utf8'), text)
  assert.equal(existsSync(`${file}.part`), false)
})

test('the CSV recipe explains its argument where it is missing or wrong, and writes nothing', async (t) => {
  const scene = await openScene(t)
  const cases: [string[], RegExp][] = [
    [[], /^apps-csv: one argument is needed, and 0 were given\.$/m],
    [['a.csv', 'b.csv'], /^apps-csv: one argument is needed, and 2 were given\.$/m],
    [[''], /^apps-csv: the argument is no file name\.$/m],
    [['--help'], /^apps-csv: the argument is no file name\.$/m],
    [['examples'], /^apps-csv: examples is a folder\.$/m],
    [['none/apps.csv'], /^apps-csv: there is no folder none\.$/m],
  ]
  for (const [args, message] of cases) {
    const { code, out, err } = await scene.run('/bin/sh', ['examples/spreadsheet/apps-csv.sh', ...args], { env: {} })
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err, message)
    assert.match(err, /^usage: \S+apps-csv\.sh FILE\nFILE is the CSV file to write/m)
  }
  assert.equal(scene.asked.length, 0)
})
