// The pages for operators: existing link targets, existing commands and options.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import test from 'node:test'

const pages = globSync('docs/operations/*.md')
const read = (file: string): string => readFileSync(file, 'utf8')

/** heading ids as Markdown renderers make them */
const anchorsOf = (file: string): Set<string> =>
  new Set(
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )

test('every link in the pages for operators leads to an existing heading', () => {
  let links = 0
  for (const page of pages)
    for (const [, file = '', anchor] of read(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      if (file.startsWith('https:')) continue
      const target = file === '' ? page : join(dirname(page), file)
      assert.ok(existsSync(target), `${page} links to ${file}`)
      if (anchor !== undefined) assert.ok(anchorsOf(target).has(anchor), `${page} links to ${file}#${anchor}`)
      links++
    }
  assert.ok(links > 50)
})

test('every page for operators is in their index', () => {
  const index = read('docs/operations/README.md')
  for (const page of pages) if (basename(page) !== 'README.md') assert.ok(index.includes(`](${basename(page)})`), page)
  for (const file of readdirSync('deploy/monitoring'))
    assert.ok(index.includes(`../../deploy/monitoring/${file}`), file)
})

/** `command` and `command sub`, and every long option that any of them has */
function commandsOf(main: string) {
  const names = [...main.matchAll(/(\w+)\s*\.command\('([\w-]+)'/g)].map(([, of = '', name = '']) =>
    of === 'program' ? name : `${of} ${name}`,
  )
  const options = new Set([...main.matchAll(/'(?:-\w, )?(--[\w-]+)/g)].map(([, option = '']) => option))
  return { names: new Set(names), options }
}

test('every command in the pages for operators exists, and so does each of its options', () => {
  const { names, options } = commandsOf(read('src/main.ts'))
  let seen = 0
  for (const page of pages)
    for (const [, line = ''] of read(page).matchAll(/bin\/vitrine ([^|>`;\n]+)/g)) {
      const [first = '', second = ''] = line.split(' ')
      assert.ok(names.has(first) || names.has(`${first} ${second}`), `${page}: vitrine ${line}`)
      for (const [option] of line.matchAll(/--[a-z][\w-]*/g)) assert.ok(options.has(option), `${page}: ${line}`)
      seen++
    }
  assert.ok(seen > 50)
})
