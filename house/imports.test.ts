// Which room may import which. The lines of a diagram in each part's documents are the rule: a room imports what stands below it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

interface Part {
  readonly folder: string
  /** holds the diagram: rooms of one line do not know each other */
  readonly page: string
}

const base: Part = { folder: 'base', page: 'base/README.md' }
const parts: readonly Part[] = [base, { folder: 'vitrine/src', page: 'vitrine/docs/architecture.md' }]
const services = ['vitrine', 'atelier']

const files = globSync('{base,vitrine/src,vitrine/client,atelier/src,atelier/client}/**/*.{ts,tsx}').filter(
  (file) => !file.endsWith('.d.ts'),
)

interface Import {
  readonly from: string
  readonly to: string
}

const importing = /(?:import|export)(?: type)?[^'"()]*?from '(\.[^']+)'|import\('(\.[^']+)'\)|^import '(\.[^']+)'/gm
const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(from, 'utf8').matchAll(importing)].map((m) => ({
    from,
    to: join(dirname(from), m[1] ?? m[2] ?? m[3] ?? ''),
  })),
)

const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}/`)

/** the folder, or for files at the top their own name */
function roomOf(file: string, { folder }: Part): string {
  const [first = '', ...rest] = file.slice(folder.length + 1).split('/')
  return rest.length > 0 ? first : first.replace(/\.tsx?$/, '')
}

/** the first block of lines that holds nothing but names */
function levelsOf({ page }: Part): string[][] {
  const [, diagram = ''] = /\n\n((?: {4}[a-z][a-z -]*\n){4,})/.exec(readFileSync(page, 'utf8')) ?? []
  return diagram
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
}

for (const part of parts)
  test(`in ${part.folder}, imports lead down the diagram of ${part.page}`, () => {
    const levels = levelsOf(part)
    const levelOf = (room: string) => levels.findIndex((line) => line.includes(room))
    const inside = imports.filter(({ from }) => isIn(from, part.folder))
    assert.ok(levels.length >= 4 && inside.length > 50)
    const wrong = inside.filter(({ from, to }) => {
      if (!isIn(to, part.folder)) return false
      const [room, target] = [roomOf(from, part), roomOf(to, part)]
      return room !== target && levelOf(target) <= levelOf(room)
    })
    assert.deepEqual(wrong, [])
    const rooms = new Set(files.filter((file) => isIn(file, part.folder)).map((file) => roomOf(file, part)))
    if (part !== base) assert.deepEqual(levels.flat().toSorted(), [...rooms].toSorted())
    else for (const room of rooms) assert.ok(levelOf(room) >= 0, room)
    assert.equal(new Set(levels.flat()).size, levels.flat().length)
  })

test('base imports base alone, and the services do not import each other', () => {
  const allowed = (from: string): string[] => [...new Set(['base', from.split('/')[0] ?? ''])]
  assert.deepEqual(
    imports.filter(({ from, to }) => !allowed(from).some((folder) => isIn(to, folder))),
    [],
  )
})

test('base names no product, neither its key prefix nor its variables', () => {
  for (const file of globSync('base/**/*', { exclude: (name) => name === 'base/README.md' }).filter((one) =>
    /\.\w+$/.test(one),
  ))
    assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(`${services.join('|')}|vtr_`, 'i'), file)
})

test('the console kit imports only itself and names no product, so that a second console can use it', () => {
  const kit = 'base/console'
  const leaving = imports.filter(({ from, to }) => isIn(from, kit) && !isIn(to, kit))
  assert.deepEqual(leaving, [])
  for (const file of globSync(`${kit}/**/*.*`))
    assert.doesNotMatch(readFileSync(file, 'utf8'), new RegExp(`${services.join('|')}|vtr_`, 'i'), file)
})

test('the import graph has no cycle', () => {
  const edges = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]) => {
    assert.ok(!trail.includes(file), `cycle: ${[...trail, file].join(' -> ')}`)
    if (done.has(file)) return
    for (const { to } of edges.get(file) ?? []) visit(to, [...trail, file])
    done.add(file)
  }
  for (const { from } of imports) visit(from, [])
})

/** `from` imports nothing of `to`, even where the diagram would allow it */
const strangers = [
  ['vitrine/src/commands', 'vitrine/src/public'],
  ['vitrine/src/commands', 'vitrine/src/operator'],
  ['vitrine/src/console', 'vitrine/src'],
  ['atelier/src/console', 'atelier/src'],
  ['vitrine/src/sandbox', 'vitrine/src'],
] as const

/** what the console takes of the service: the types of its answers, erased in the browser, the groups, and what the command line
 * writes too: samples and CSV */
const isShared = ({ from, to }: Import): boolean =>
  from === 'vitrine/src/console/answers.ts' ||
  to === 'vitrine/src/catalogue/groups.ts' ||
  /\/(?:samples|csv)\.ts$/.test(to)

test('a command serves no HTTP; the sandbox and the console know the service by its answers', () => {
  const isWrong = (one: Import): boolean =>
    strangers.some(
      ([room, other]) => isIn(one.from, room) && isIn(one.to, other) && !isIn(one.to, room) && !isShared(one),
    )
  assert.doesNotMatch(readFileSync('vitrine/src/console/answers.ts', 'utf8'), /^import (?!type )/m)
  assert.deepEqual(imports.filter(isWrong), [])
})

test('the engine knows no clock, no network and no framework', () => {
  for (const file of globSync('vitrine/src/engine/*.ts')) {
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /Date\.now|new Date|setTimeout|performance\.|fetch\(|process\./, file)
    for (const [, name] of text.matchAll(/from '([^.'][^']*)'/g))
      assert.equal(name, 'node:crypto', `${file} imports ${name}`)
  }
})

/** the platform's folder, the clients, pages in the browser, and sign-ins with a provider */
const callers =
  /^vitrine\/src\/platform\/|^\w+\/src\/console\/|^\w+\/client\/|^base\/(console\/|auth\/oidc-requests\.ts$)/

test('only the platform folder can call out, a client, a page in the browser, and the sign-in with a provider', () => {
  for (const file of files.filter((one) => !callers.test(one)))
    assert.doesNotMatch(readFileSync(file, 'utf8'), /(from |import\()'undici|\bfetch\(/, file)
})

test('the platform client can send only GET', () => {
  const methods = globSync('vitrine/src/platform/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/method: *('?\w+'?)/g)].map((m) => m[1]),
  )
  assert.deepEqual(methods, ["'GET'"])
})

test('no folder and no file is named util, common or the like', () => {
  for (const file of files) assert.doesNotMatch(file, /util|helper|common|misc/i)
})
