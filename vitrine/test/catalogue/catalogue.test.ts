import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import type { Field } from '../../src/catalogue/define.ts'
import { definitions, routes } from '../../src/catalogue/index.ts'
import { pathParameters } from '../../src/catalogue/parameters.ts'
import { vocabulary } from '../../src/catalogue/vocabulary.ts'
import { readRouteQuery, createMatcher } from '../../src/engine/request.ts'
import { placeholdersOf } from '../../src/engine/plan.ts'

const folder = 'src/catalogue/'
const sources = readdirSync(folder).map((file) => [file, readFileSync(folder + file, 'utf8')] as const)

/** export name -> lines of its definition */
const written = new Map(
  sources.flatMap(([, text]) =>
    [...text.matchAll(/^export const (\w+) = (?:one|page|ids|id)\(\{\n[\s\S]*?^\}\)$/gm)].map(
      (m) => [m[1] ?? '', m[0].split('\n').length] as const,
    ),
  ),
)

test('every definition is in the table of contents under the name of its export', () => {
  assert.deepEqual([...written.keys()].sort(), Object.keys(definitions).sort())
})

test('no definition is longer than 25 lines', () => {
  assert.deepEqual(
    [...written].filter(([, lines]) => lines > 25),
    [],
  )
})

test('a definition is frozen data without functions, at every depth', () => {
  const walk = (value: unknown, at: string) => {
    assert.notEqual(typeof value, 'function', at)
    if (typeof value !== 'object' || value === null) return
    assert.ok(Object.isFrozen(value), `${at} is not frozen`)
    for (const [key, inner] of Object.entries(value)) walk(inner, `${at}.${key}`)
  }
  for (const route of routes) walk(route, route.operation)
})

test('paths are unique, and every described path parameter is used', () => {
  assert.equal(new Set(routes.map(({ path }) => path)).size, routes.length)
  const used = new Set(routes.flatMap(({ path }) => placeholdersOf(path)))
  for (const name of Object.keys(pathParameters))
    assert.ok(name === 'connectionId' || used.has(name), `${name} is in no path`)
})

test('every id that a platform endpoint needs comes from the path or from a lookup', () => {
  for (const { operation, path, from } of routes) {
    const found = [...(from.resolve ? ['localizationId'] : []), ...(from.through ? [from.through.gives] : [])]
    const known = [...placeholdersOf(path), ...found]
    for (const endpoint of [
      from.read,
      from.guard?.isIn ?? '',
      from.resolve?.locale ?? '',
      from.owner?.read ?? '',
      from.through?.list ?? '',
    ])
      for (const hole of placeholdersOf(endpoint)) assert.ok(known.includes(hole), `${operation} needs ${hole}`)
    for (const param of Object.values(from.parent ?? {})) assert.ok(known.includes(param), `${operation}: ${param}`)
    // relationships of a placement and of a declaration that are no field of ours
    const relations = operation.endsWith('Placements')
      ? ['video', 'appCustomProductPageLocalization']
      : operation === 'listEncryptionDeclarations'
        ? ['app']
        : []
    const links = Object.keys(routes.find((r) => r.operation === operation)?.returns?.links ?? {})
    for (const name of Object.keys(from.parent ?? {}))
      assert.ok([...links, ...relations].includes(name), `${operation}: ${name}`)
  }
})

test('exactly the routes with a locale look one up, and exactly the legacy routes are under /legacy', () => {
  for (const { operation, path, from, group } of routes) {
    assert.equal(path.includes('{locale}'), from.resolve !== undefined, operation)
    assert.equal(path.startsWith('/legacy/'), group === 'legacy', operation)
  }
})

test('every example is a valid request of its route', () => {
  const match = createMatcher(routes)
  for (const route of routes) {
    const [path, query = ''] = route.example.split('?')
    assert.equal(match(`/v1/connections/demo${path}`)?.route, route)
    assert.ok(readRouteQuery(route, query))
  }
})

test('every review stamp has a version, a day and, if the document was available, a hash', () => {
  // the vendor's document of their version was not at hand
  const withoutHash = [2, 7, 8, 18]
  for (const { number, reviewed } of routes) {
    if (withoutHash.includes(number)) assert.equal(reviewed.hash, undefined)
    else assert.match(reviewed.hash ?? '', /^[\da-f]{16}$/, String(number))
    assert.match(reviewed.version, /^4\.\d+\.\d+$/)
    assert.match(reviewed.date, /^20\d\d-\d\d-\d\d$/)
  }
})

test('attributes and linkages never share a name, and none is called id', () => {
  for (const { returns } of routes) {
    const names = [
      ...Object.keys(returns?.attributes ?? {}),
      ...Object.keys(returns?.links ?? {}),
      ...(returns?.fromPath ?? []),
    ]
    assert.equal(new Set(names).size, names.length, returns?.name)
    assert.ok(!names.includes('id'))
  }
})

test("only the vocabulary file holds the platform's words for the vocabulary", () => {
  for (const [file, text] of sources)
    if (file !== 'vocabulary.ts')
      for (const theirs of Object.values(vocabulary)) assert.ok(!text.includes(theirs), `${file} says ${theirs}`)
})

test('the numbers in the table of contents are those of the contract', () => {
  const numbered = [...readFileSync(`${folder}index.ts`, 'utf8').matchAll(/^ {2}(\w+): \w+\.\w+, \/\/ (\d+)$/gm)]
  assert.deepEqual(
    numbered.map((m) => [m[1], Number(m[2])]),
    routes.map(({ operation, number }) => [operation, number]),
  )
})

test('words of the vocabulary are used only where they are translated, in known values of top-level attributes', () => {
  const words = Object.keys(vocabulary)
  const nested = (field: Field | undefined): Field[] =>
    Object.values(field?.properties ?? field?.items?.properties ?? {}).flatMap((one) => [one, ...nested(one)])
  for (const { operation, returns } of routes)
    for (const field of Object.values(returns?.attributes ?? {}).flatMap(nested))
      for (const value of [...(field.values ?? []), ...(field.items?.values ?? [])])
        assert.ok(!words.includes(value), `${operation}: ${value}`)
})

test('a field named like a path parameter has its value, so that rows can carry the parameter under that name', () => {
  const named = routes.flatMap(({ operation, path, returns }) =>
    [...path.matchAll(/\{(\w+)\}/g)]
      .map((m) => m[1] ?? '')
      .flatMap((name) => {
        const isOwn = Object.hasOwn(returns?.attributes ?? {}, name) && !returns?.fromPath.includes(name)
        return isOwn ? [`${operation} ${name}`] : []
      }),
  )
  // the localization that is found is the one of exactly this locale
  assert.deepEqual(named, ['getLegacySubscriptionLocalization locale'])
})
