import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { groups } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { problems } from '../../src/problems.ts'
import { settingsTable, variableOf } from '../../src/settings.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
const sameNames = (a: readonly (string | undefined)[], b: readonly string[]) => assert.deepEqual(new Set(a), new Set(b))
const pages = [
  ...globSync('docs/**/*.md'),
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'src/sandbox/LIMITS.md',
  'bench/README.md',
]

/** the first cell of each row of the table under these heads */
const firstCells = (page: string, head: RegExp): string[] => {
  const lines = read(page).split('\n')
  const at = lines.findIndex((line) => head.test(line))
  const end = lines.findIndex((line, i) => i > at && !line.startsWith('|'))
  return lines
    .slice(at + 2, end < 0 ? undefined : end)
    .map((line) => line.split('|')[1]?.trim().replaceAll('`', '') ?? '')
}

test('the README and the architecture page state the right numbers of routes', () => {
  const counts = ['README.md', 'docs/architecture.md'].map((page) =>
    [...read(page).matchAll(/\b(\d+) (?:more )?(?:read )?routes\b/g)].map((m) => Number(m[1])),
  )
  const ofContract = routes.filter(({ isBeyond }) => !isBeyond).length
  assert.deepEqual(counts, [[ofContract, routes.length - ofContract], [routes.length]])
})

test('every decision is in the index, and every entry of the index exists', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map((m) => m[1])
  const there = readdirSync('docs/decisions').filter((file) => file !== 'README.md')
  sameNames(listed, there)
})

test('the errors guide and the table of problems have the same codes', () => {
  const documented = [...read('docs/reference/errors.md').matchAll(/^\| \d{3} \| \[`(\w+)`\]/gm)].map((m) => m[1])
  sameNames(documented, Object.keys(problems))
  for (const page of pages.filter((p) => p !== 'src/sandbox/LIMITS.md'))
    for (const [, code = ''] of read(page).matchAll(/\b[45]\d\d `(\w+)`/g))
      assert.ok(code in problems || Object.values(problems).some(({ type }) => type === code), `${page} names ${code}`)
})

test('every problem is raised somewhere in the code', () => {
  const code = globSync(['src/**/*.ts', '../base/**/*.ts'], {
    exclude: (name) => /problems?\.ts$/.test(name) || name.endsWith('.d.ts'),
  })
    .map((file) => read(file))
    .join('\n')
  for (const name of Object.keys(problems))
    assert.match(`${code}\nmalformed( 'upstream_malformed'`, new RegExp(`'${name}'`), name)
})

test('every setting and variable is in the reference', () => {
  const page = read('docs/reference/settings.md')
  for (const name of Object.keys(settingsTable))
    assert.ok(page.includes(`| [\`${name}\`](settings/${name}.md) | \`${variableOf(name)}\` |`), name)
})

test('every command is in a guide or the README, and every command in a guide exists', () => {
  const main = read('src/main.ts')
  const named = [...main.matchAll(/(\w+)\s*\.command\('([\w-]+)'\)/g)].map(([, of = '', name = '']) => ({ of, name }))
  const commands = named.map(({ name }) => name)
  const words = pages.map(read).join('\n')
  for (const { of, name } of named)
    assert.match(
      words,
      new RegExp(of === 'program' ? `vitrine ${name}\\b|\`${name}\`` : `\\b${of} ${name}\\b`),
      `${of} ${name}`,
    )
  for (const page of pages.filter((p) => p.startsWith('docs/guides') || p === 'README.md'))
    for (const [, command = ''] of read(page).matchAll(/bin\/vitrine ([a-z]+)/g))
      assert.ok(commands.includes(command), `${page}: ${command}`)
})

test('the keys guide names every group, and the example settings in the docs are valid', () => {
  for (const group of groups) assert.ok(read('docs/guides/keys.md').includes(`\`${group}\``), group)
  assert.equal(firstCells('docs/guides/keys.md', /^\| Option/).length, 8)
})
