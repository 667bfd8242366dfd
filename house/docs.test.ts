import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

const read = (file: string): string => readFileSync(file, 'utf8')
const pages = globSync('{.,base,vitrine,atelier}/**/*.md', {
  exclude: (name) => /(^|\/)(node_modules|results|dist|data)$/.test(name),
})

test('every link in the docs leads to a file', () => {
  for (const page of pages)
    for (const [, link = ''] of read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!/^https?:/.test(link)) assert.ok(existsSync(join(dirname(page), link)), `${page} links to ${link}`)
})

test('the project speaks of itself alone', () => {
  const files = globSync('{base,vitrine,atelier,house,bin,.ci}/**/*', {
    exclude: (entry) => /^(node_modules|results|dist|data|\.cache)$/.test(entry.name),
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of [...files, ...pages]) {
    if (file.endsWith('docs.test.ts')) continue
    // /home/u is a folder inside a container
    assert.doesNotMatch(read(file), /registry\.npmjs|\/home\/(?!u\b)\w|\/root\/(?!\.npmrc)/, file)
  }
})

const architecture = 'vitrine/docs/architecture.md'

test('every file named in the architecture page exists', () => {
  const named = [...read(architecture).matchAll(/`((?:base|src|house|test)\/[\w./-]+)`/g)].map(([, file = '']) => file)
  assert.ok(named.length > 40)
  const missing = named.filter((file) => !existsSync(/^(base|house)\//.test(file) ? file : join('vitrine', file)))
  assert.deepEqual(missing, [])
})

test('the glossary has at most 25 terms, each with one line', () => {
  const [, glossary = ''] = read(architecture).split('## Glossary')
  const terms = [...glossary.matchAll(/^\| (?!Term |---)([^|]+) \| [^|]+ \|$/gm)].map(([, term]) => term)
  assert.ok(terms.length > 15 && terms.length <= 25, `${terms.length}`)
  assert.equal(new Set(terms).size, terms.length)
})
