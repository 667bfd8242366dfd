import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'

const files = globSync('{src,client,test,scripts,bench}/**/*.{ts,tsx,js,mjs}', {
  exclude: (name) => name.includes('node_modules'),
})
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')
const sources = files.filter((file) => /^(src|client)\//.test(file) && !file.endsWith('.d.ts'))

test('every source file opens with what it is for', () => {
  for (const file of sources) assert.match(linesOf(file)[0] ?? '', /^(\/\/|\/\*) ?\S/, file)
})

test('no file is above 200 lines without a reason in its header', () => {
  for (const file of files) {
    const lines = linesOf(file)
    if (lines.length > 200)
      assert.match(lines.slice(0, 4).join('\n'), /long|lines/i, `${file} has ${lines.length} lines`)
  }
})

test('the median source file is one that is read at a glance', () => {
  const sizes = sources.map((file) => linesOf(file).length).sort((a, b) => a - b)
  assert.ok((sizes[Math.floor(sizes.length / 2)] ?? 0) <= 80, `median ${sizes[Math.floor(sizes.length / 2)]}`)
})

/** top-level functions, from their first line to the brace that closes them */
const functionsIn = (text: string): [name: string, lines: number][] =>
  [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)[\s\S]*?^\}$/gm)].map((m) => [
    m[1] ?? '',
    m[0].split('\n').length,
  ])

/** the parts of these are functions themselves, and stand under the bound */
const wholes = new Set([
  ...['createPublicDoor', 'openHouse', 'openOffice', 'createKeys', 'createGovernor', 'createAttempt'],
  ...[
    'createBreaker',
    'createBreakers',
    'createRefusals',
    'createRunning',
    'createFlights',
    'createRows',
    'createTokens',
    'createSigner',
    'createRolling',
    'createShares',
    'createPlaces',
    'createWindow',
  ],
  ...['createHosted', 'createRotation', 'createRecent', 'createWriter', 'createReadAudit', 'createLockOut'],
  'createCountedRefusals',
  ...['keepAudit', 'createVault'],
  ...['createKeeper', 'createCrew', 'createRoster', 'createTurns', 'createReporter', 'createSessions'],
  ...['createHistory', 'createBoard', 'createLive', 'createSharedRates', 'createSharedSessions'],
  ...['createLedgered', 'createQuestions', 'createAskedGovernor', 'createTakings', 'createVigil'],
  ...[
    'createSharedQuota',
    'createSharedWindow',
    'createFarSide',
    'createAnswers',
    'createLearning',
    'createSharedShares',
  ],
])

/** what is drawn is markup, of which each attribute may have its line */
const boundOf = (file: string): number => (file.endsWith('.tsx') ? 60 : 40)

test('functions stay under 40 lines, and those that draw under 60', () => {
  for (const file of files.filter((file) => /^(src|client|scripts)\//.test(file)))
    for (const [name, lines] of functionsIn(readFileSync(file, 'utf8')))
      assert.ok(lines <= (wholes.has(name) ? 80 : boundOf(file)), `${name} in ${file} has ${lines} lines`)
})

test('nothing is left half done or switched off', () => {
  for (const file of files) {
    if (file === 'test/house/sizes.test.ts') continue
    assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(TODO|FIXME|XXX)\b|\.only\(/, file)
  }
})
