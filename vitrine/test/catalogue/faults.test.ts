import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'

const most = 186
const page = readFileSync('docs/reliability.md', 'utf8')

/** `F01-F03, F07` */
const idsIn = (text: string): number[] =>
  [...text.matchAll(/\bF(\d{2,3})(?:-F(\d{2,3}))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i),
  )

const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

/** the first cells of a section's table */
const listed = (title: string): number[] =>
  section(title)
    .split('\n')
    .filter((line) => line.startsWith('| F'))
    .flatMap((line) => idsIn(line.split('|')[1] ?? ''))

const tested = new Set(
  globSync('test/**/*.ts').flatMap((file) =>
    // at the start of a title, an id alone, or the name of a row
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w-])((?:F\d{2,3} ?)+)(?:: |['"`])/g)].flatMap((m) =>
      idsIn(m[1] ?? ''),
    ),
  ),
)

test('every fault of the catalogue is listed once, as tested or with a reason', () => {
  const all = [...listed('Tested'), ...listed('Not tested')]
  assert.deepEqual(
    all.toSorted((a, b) => a - b),
    Array.from({ length: most }, (_, i) => i + 1),
  )
})

test('every fault listed as tested has a test of that name, and every fault test is listed', () => {
  assert.deepEqual(new Set(listed('Tested')), new Set([...tested].filter((id) => id <= most)))
})
