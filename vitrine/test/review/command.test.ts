import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { probes } from '../../src/catalogue/probes.ts'
import { linesOf } from '../../src/commands/review.ts'
import { readDocument } from '../../src/review/document.ts'
import { classes } from '../../src/review/finding.ts'
import { reviewRoutes } from '../../src/review/review.ts'
import { bytesOf, type Doc, vendorDocument } from '../support/vendor-document.ts'
import { rows } from '../catalogue/contract-rows.ts'

const endpoints = Object.keys(vendorDocument()['paths']).length

const folder = mkdtempSync(join(tmpdir(), 'vitrine-review-'))
test.after(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, change: (doc: Doc) => void, version?: string): string {
  const doc = vendorDocument(version)
  change(doc)
  writeFileSync(join(folder, name), bytesOf(doc))
  return join(folder, name)
}

const run = (args: readonly string[], input?: Uint8Array): Promise<{ code: number; out: string; err: string }> =>
  new Promise((ok) => {
    const child = execFile(resolve('bin/vitrine'), ['review', ...args], (error, out, err) =>
      ok({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.on('error', () => {}).end(input ?? '')
  })

const comes = (doc: Doc) => {
  doc['components'].schemas.getFeaturingNomination.properties.attributes.properties.mood = { type: 'string' }
}
const goes = (doc: Doc) => {
  delete doc['components'].schemas.getFeaturingNomination.properties.attributes.properties.notes
}

test('the exit code is 0 without drift, 1 for drift of the chosen level or above, 2 if nothing could be reviewed', async () => {
  const [addition, broken] = [fileOf('addition.json', comes), fileOf('break.json', goes)]
  const codes = await Promise.all(
    [
      [addition],
      [addition, '--fail-on', 'addition'],
      [broken],
      [broken, '--fail-on', 'break'],
      [addition, '--fail-on', 'break'],
      [join(folder, 'nowhere.json')],
      [broken, '--fail-on', 'everything'],
      [broken, '--date', '2027-02-31x'],
      [broken, '--date', '2027-02-31'],
      [broken, '--nonsense'],
      [],
    ].map(async (args) => (await run(args)).code),
  )
  assert.deepEqual(codes, [0, 1, 1, 1, 0, 2, 2, 2, 2, 2, 2])
})

test('a facade key given in place of the file is not printed', async () => {
  const key = `vtr_test_AAAAAAAAAAAA_${'B'.repeat(43)}_CCCCCC`
  const { code, err } = await run([key])
  assert.equal(code, 2)
  assert.match(err, /^vitrine: cannot read the document: ENOENT.*vtr_\[redacted\]/)
  assert.ok(!err.includes('BBBB'), err)
})

test('piped output is JSON of a stable shape, for a file and for standard input', async () => {
  const { code, out } = await run([fileOf('piped.json', goes)])
  const { document, summary, routes: standing, findings } = JSON.parse(out)
  assert.equal(code, 1)
  assert.deepEqual(document, { version: '4.5.1', openapi: '3.0.1', paths: endpoints })
  assert.deepEqual(
    [summary.routes, summary.asReviewed, summary.drifted, summary.absent, summary.breaks, summary.additions],
    [rows.length, rows.length - 1, 1, 0, 1, 0],
  )
  assert.deepEqual(Object.keys(summary), [
    'routes',
    'asReviewed',
    'unchanged',
    'drifted',
    'absent',
    'breaks',
    'changes',
    'additions',
    'notes',
  ])
  assert.deepEqual(Object.keys(standing[15]), [
    'number',
    'operation',
    'path',
    'endpoint',
    'reviewed',
    'hash',
    'standing',
  ])
  assert.equal(standing[15].standing, 'drifted')
  const [first] = findings.filter(({ severity }: { severity: string }) => severity !== 'note')
  assert.deepEqual(first, {
    class: 'attribute-gone',
    at: 'notes',
    severity: 'break',
    number: 16,
    operation: 'getFeaturingNomination',
    path: '/featuring-nominations/{featuringNominationId}',
    about: 'A documented attribute is not in the answer.',
    cure: 'Check at the platform whether it is gone. If so, remove it from the route and tell callers.',
  })
  assert.deepEqual(await run(['-'], readFileSync(join(folder, 'piped.json'))), { code: 1, out, err: '' })
})

test('an unreadable document is refused with a message and no stack trace', async () => {
  const { code, out, err } = await run(['-'], Buffer.from('openapi: 3.0.1\n'))
  assert.deepEqual([code, out, err], [2, '', 'vitrine: the document is YAML; convert it to JSON first\n'])
})

test('on a terminal the report lists the routes with findings, and a summary line', () => {
  const doc = vendorDocument('4.4.1')
  goes(doc)
  comes(doc)
  delete doc['paths']['/v1/apps/{id}/performanceOverviews']
  doc['components'].schemas.getFeaturingNomination.properties.attributes.properties.state.enum.push('WITH\u001b[2J')
  const unstamped = routes.map(({ reviewed: { version, date }, ...route }) => ({
    ...route,
    reviewed: { version, date },
  })) as typeof routes
  assert.deepEqual(linesOf(reviewRoutes(unstamped, readDocument(bytesOf(doc)))), [
    `The vendor's document 4.4.1, with ${endpoints - 1} endpoints`,
    '2. getPerformanceOverview /apps/{appId}/performance-overviews, reviewed against 4.5.1',
    '   absent    endpoint-absent  /v1/apps/{appId}/performanceOverviews',
    '16. getFeaturingNomination /featuring-nominations/{featuringNominationId}',
    '   addition  known-value-new  state: WITH\u001b[2J',
    '             An attribute lists a value that is not known. Document it, or state with `differs` why it is left out.',
    '   break     attribute-gone  notes',
    '             A documented attribute is not in the answer. Check at the platform whether it is gone. If so, remove it from the route and tell callers.',
    '   addition  attribute-new  mood',
    '             The answer has an attribute that is not documented. Document it, or state with `differs` why it is left out.',
    `${rows.length} routes: ${rows.length - 2} as reviewed, 1 drifted, 1 not in this document; 1 break, 0 changes, 2 additions`,
  ])
})

test('a doctor probe whose endpoint is gone is drift, reported with its group and its file', () => {
  const doc = vendorDocument()
  delete doc['paths']['/v1/apps/{id}/customerReviews']
  // a route that reads the same would report it
  const found = reviewRoutes(routes.slice(0, 29), readDocument(bytesOf(doc)), probes)
  assert.deepEqual(found.probes, [
    {
      class: 'endpoint-absent',
      at: '/v1/apps/{appId}/customerReviews',
      severity: 'break',
      group: 'reviews',
      about: 'The document has no GET for an endpoint that is read.',
      cure: 'Change the probe of the group in src/catalogue/probes.ts.',
    },
  ])
  assert.deepEqual(linesOf(found).slice(-4, -1), [
    'The read by which vitrine doctor tries the group reviews',
    '   break     endpoint-absent  /v1/apps/{appId}/customerReviews',
    '             The document has no GET for an endpoint that is read. Change the probe of the group in src/catalogue/probes.ts.',
  ])
})

test('the guide lists exactly the classes of findings with their severities', () => {
  const guide = readFileSync('docs/guides/drift.md', 'utf8')
  const said = [...guide.matchAll(/^\| `([\w-]+)` \| (\w+) \|/gm)].map((m) => `${m[1]} ${m[2]}`)
  assert.deepEqual(new Set(said), new Set(Object.entries(classes).map(([name, { severity }]) => `${name} ${severity}`)))
  assert.equal(said.length, Object.keys(classes).length)
})
