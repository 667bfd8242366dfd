import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

interface Locked {
  readonly version?: string
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
}

const lockOf = (file: string): Record<string, Locked> =>
  (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }).packages
const packages = lockOf('package-lock.json')
const page = readFileSync('docs/decisions/dependencies.md', 'utf8')
const root = packages[''] ?? {}

/** where `name` is found from a package at `place`: the nearest folder up the tree, as Node.js looks for it */
function placeOf(name: string, place: string): string | undefined {
  const own = `${place === '' ? '' : `${place}/`}node_modules/${name}`
  if (packages[own]) return own
  if (place === '') return undefined
  const above = place.lastIndexOf('/node_modules/')
  return placeOf(name, above < 0 ? '' : place.slice(0, above))
}

/** everything that an installed package stands on, with what it takes along if it can */
function placesBelow(direct: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (name: string, from: string, required: boolean) => {
    const place = placeOf(name, from)
    if (place === undefined) return assert.ok(!required, `${name}, needed by ${from}, is not in the lock file`)
    if (seen.has(place)) return undefined
    seen.add(place)
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[place] ?? {}
    for (const next of Object.keys(dependencies)) visit(next, place, !(next in optionalDependencies))
    for (const next of Object.keys(optionalDependencies)) visit(next, place, false)
    for (const next of Object.keys(peerDependencies))
      if (!peerDependenciesMeta[next]?.optional) visit(next, place, true)
    return undefined
  }
  for (const name of direct) visit(name, '', true)
  return seen
}

/** the packages of a table of the page, by the words over it */
const listed = (heading: string): string[] =>
  [...(page.split(`\n${heading}`)[1]?.split('\n\n')[1] ?? '').matchAll(/^\| `([^`]+)` \| \S/gm)].map(
    ([, name = '']) => name,
  )

test('the page says how many packages run, and how many more they bring', () => {
  const direct = Object.keys(root.dependencies ?? {})
  // a package that npm lays down twice in the same version is read once
  const named = (place: string) => `${place.replace(/.*node_modules\//, '')} ${packages[place]?.version}`
  const names = new Set([...placesBelow(direct)].map(named))
  const below = names.size - direct.length
  assert.ok(below > 20, `${below}`)
  assert.ok(
    page.includes(`\nAt run time (${direct.length}, with ${below} below them,`),
    `${direct.length}, with ${below}`,
  )
})

test('every dependency has its line on the page, and the page names no other', () => {
  assert.deepEqual(listed('At run time').toSorted(), Object.keys(root.dependencies ?? {}).toSorted())
  assert.deepEqual(listed('For development').toSorted(), Object.keys(root.devDependencies ?? {}).toSorted())
})

test('every dependency has an exact version', () => {
  for (const version of Object.values({ ...root.dependencies, ...root.devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/)
})

test('nothing that is installed has an install script or names a registry, and all of it is vouched for', () => {
  for (const file of ['package-lock.json', 'bench/package-lock.json'])
    for (const [place, entry] of Object.entries(lockOf(file))) {
      if (entry.link || !place.includes('node_modules/')) continue
      assert.notEqual(entry.hasInstallScript, true, place)
      assert.match(entry.integrity ?? '', /^sha512-/, place)
      assert.equal(entry.resolved, undefined, place)
    }
})
