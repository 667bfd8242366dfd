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

const shown = new Set(
  globSync('test/**/*.ts').flatMap((file) =>
    // the beginning of a title, an id by itself, or the name of a row
    [...readFileSync(file, 'utf8').matchAll(/(?<![\w-])((?:F\d{2,3} ?)+)(?:: |['"`])/g)].flatMap((m) =>
      idsIn(m[1] ?? ''),
    ),
  ),
)

test('every fault of the catalogue is listed once: as shown by a test, or with the reason why not', () => {
  const all = [...listed('Shown'), ...listed('Not shown')]
  assert.deepEqual(
    all.toSorted((a, b) => a - b),
    Array.from({ length: most }, (_, i) => i + 1),
  )
})

test('what is listed as shown has a test of that name, and what has one is listed', () => {
  assert.deepEqual(new Set(listed('Shown')), new Set([...shown].filter((id) => id <= most)))
})
