import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Route } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { writeStamps } from '../../src/commands/review-stamps.ts'
import { readDocument } from '../../src/review/document.ts'
import { reviewRoutes } from '../../src/review/review.ts'
import { restamp } from '../../src/review/stamps.ts'
import { rows } from '../catalogue/contract-rows.ts'
import { bytesOf, type Doc, vendorDocument } from '../support/vendor-document.ts'

function openCatalogue(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-stamps-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync('src/catalogue', folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

const textOf = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')

const judge = (doc: Doc, of: readonly Route[] = routes) => reviewRoutes(of, readDocument(bytesOf(doc)))

test('stamping changes nothing but the stamp in the text of a definition', () => {
  const text = [
    '// Things.',
    "export const other = one({\n  path: '/a',\n  reviewed: stamp('4.4.1', '2026-11-20'),\n})",
    "export const getThing = one({\n  path: '/b',\n  reviewed: stamp('4.4.1', '2026-11-20'),\n  example: '/b',\n})",
    '',
  ].join('\n')
  const stamp = { version: '4.6', date: '2027-01-31', hash: '0123456789abcdef' }
  const once = restamp(text, 'getThing', stamp)
  assert.equal(
    once,
    [
      '// Things.',
      "export const other = one({\n  path: '/a',\n  reviewed: stamp('4.4.1', '2026-11-20'),\n})",
      "export const getThing = one({\n  path: '/b',\n  reviewed: stamp('4.6', '2027-01-31', '0123456789abcdef'),\n  example: '/b',\n})",
      '',
    ].join('\n'),
  )
  assert.equal(restamp(once ?? '', 'getThing', stamp), once)
  assert.equal(restamp(text, 'getNothing', stamp), undefined)
  assert.equal(restamp("export const getThing = one({\n  path: '/b',\n})\n", 'getThing', stamp), undefined)
})

test('the stamped catalogue loads, and every route has its version, day and hash', async (t) => {
  const folder = openCatalogue(t)
  const before = textOf(folder)
  const found = judge(vendorDocument('4.6'))
  const { stamped, left } = writeStamps(found, '2027-01-31', folder)
  assert.deepEqual([stamped.length, left], [rows.length, []])
  const changed = textOf(folder)
    .split('\n')
    .filter((line, i) => line !== before.split('\n')[i])
  assert.equal(changed.length, rows.length)
  for (const line of changed) assert.match(line, /^ {2}reviewed: stamp\('4\.6', '2027-01-31', '[\da-f]{16}'\),$/)
  assert.ok(readdirSync(folder).every((name) => !name.endsWith('.stamping')))
  const again = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as { routes: Route[] }
  assert.deepEqual(
    again.routes.map(({ reviewed }) => reviewed),
    found.routes.map(({ hash }) => ({ version: '4.6', date: '2027-01-31', hash })),
  )
  const next = judge(vendorDocument('4.6'), again.routes)
  assert.ok(next.routes.every(({ state: standing }) => standing === 'unchanged'))
})

test('routes that are absent, broken or reviewed against a newer document are not stamped, each with its reason', (t) => {
  const folder = openCatalogue(t)
  const doc = vendorDocument('4.4.1')
  delete doc['paths']['/v1/apps/{id}/performanceOverviews']
  delete doc['components'].schemas.getFeaturingNomination.properties.attributes.properties.notes
  const { stamped, left } = writeStamps(judge(doc), '2027-01-31', folder)
  assert.deepEqual(left, [
    { operation: 'getPerformanceOverview', why: 'it is not in this document' },
    { operation: 'listProductPagePlacements', why: 'it was reviewed against 4.5.1, which is newer' },
    { operation: 'listLibraryVideoPlacements', why: 'it was reviewed against 4.5.1, which is newer' },
    { operation: 'getFeaturingNomination', why: 'it has 1 break' },
    { operation: 'listProductPagePlacementIds', why: 'it was reviewed against 4.5.1, which is newer' },
  ])
  assert.equal(stamped.length, rows.length - 5)
  assert.equal(textOf(folder).match(/'2027-01-31'/g)?.length, rows.length - 5)
})

test('an installed package and an incomplete catalogue are not stamped', (t) => {
  const folder = openCatalogue(t)
  const found = judge(vendorDocument('4.6'))
  const before = textOf(folder)
  rmSync(join(folder, 'nominations.ts'))
  assert.throws(
    () => writeStamps(found, '2027-01-31', folder),
    /no definition of getFeaturingNomination .* nothing was/,
  )
  assert.equal(textOf(folder), before.replace(readFileSync('src/catalogue/nominations.ts', 'utf8'), ''))
  rmSync(join(folder, 'define.ts'))
  assert.throws(() => writeStamps(found, '2027-01-31', folder), /installed package; run it from a checkout/)
})

test('a failed write is reported without leftover files, and a stamped file keeps its mode', (t) => {
  const folder = openCatalogue(t)
  const found = judge(vendorDocument('4.6'))
  chmodSync(join(folder, 'apps.ts'), 0o755)
  writeStamps(found, '2027-01-31', folder)
  assert.equal(statSync(join(folder, 'apps.ts')).mode & 0o777, 0o755)
  mkdirSync(join(folder, 'reviews.ts.stamping'))
  assert.throws(() => writeStamps(found, '2027-02-01', folder), {
    name: 'UserError',
    message: /^the stamps could not all be written: .*EISDIR/,
  })
})
