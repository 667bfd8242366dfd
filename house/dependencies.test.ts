import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
const page = readFileSync('vitrine/docs/decisions/dependencies.md', 'utf8')
const root = packages['vitrine'] ?? {}
/** what checks the whole tree is asked for at its top */
const devDependencies = { ...packages['']?.devDependencies, ...root.devDependencies }

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
  for (const name of direct) visit(name, 'vitrine', true)
  return seen
}

/** the packages of a table of the page, by the words over it */
const listed = (heading: string): string[] =>
  [...(page.split(`\n${heading}`)[1]?.split('\n\n')[1] ?? '').matchAll(/^\| `([^`]+)` \| \S/gm)].map(
    ([, name = '']) => name,
  )

test('the page states the number of direct and of indirect packages at run time', () => {
  const direct = Object.keys(root.dependencies ?? {})
  // a package that npm lays down twice in the same version is read once
  const named = (place: string) => `${place.replace(/.*node_modules\//, '')} ${packages[place]?.version}`
  const names = new Set([...placesBelow(direct)].map(named))
  const below = names.size - direct.length
  assert.ok(below > 10, `${below}`)
  assert.ok(names.size <= 45, `${names.size} production packages`)
  assert.ok(
    page.includes(`\nAt run time (${direct.length}, with ${below} below them,`),
    `${direct.length}, with ${below}`,
  )
})

test('the page lists exactly the direct dependencies', () => {
  assert.deepEqual(listed('At run time').toSorted(), Object.keys(root.dependencies ?? {}).toSorted())
  assert.deepEqual(listed('For development').toSorted(), Object.keys(devDependencies).toSorted())
})

test('every dependency has an exact version', () => {
  for (const version of Object.values({ ...root.dependencies, ...devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/)
})

/** npm runs no install script of these */
const refused = (JSON.parse(readFileSync('package.json', 'utf8')) as { allowScripts: Record<string, unknown> })
  .allowScripts

test('every installed package has a digest, and none runs an install script or names a registry', () => {
  for (const file of ['package-lock.json', 'vitrine/bench/package-lock.json'])
    for (const [place, entry] of Object.entries(lockOf(file))) {
      if (entry.link || !place.includes('node_modules/')) continue
      const isRefused = file === 'package-lock.json' && refused[place.replace(/.*node_modules\//, '')] === false
      assert.ok(!entry.hasInstallScript || isRefused, place)
      assert.match(entry.integrity ?? '', /^sha512-/, place)
      assert.equal(entry.resolved, undefined, place)
    }
})

/** offered by the documentation of a package that has no `exports` */
const documented = new Set(['ajv/dist/2020.js', '@xterm/xterm/css/xterm.css'])

/** the package, and the path in it */
const partsOf = (specifier: string): [name: string, path: string | undefined] => {
  const [, name = '', path] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(specifier) ?? []
  return [name, path]
}

test('every import of a package is one of its public paths', () => {
  const files = globSync('{base,house,atelier,vitrine/{src,client,scripts,test}}/**/*.{ts,tsx,mjs}', {
    exclude: (name) => name.includes('node_modules'),
  })
  const specifiers = new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^(?:import|export)\b[^'";=]*?(?:from )?'([^']+)'$|\bimport\('([^']+)'\)/gm,
        ),
      ].map(([, fixed, loaded]) => fixed ?? loaded ?? ''),
    ),
  )
  const packaged = [...specifiers].filter((one) => /^[@a-z]/.test(one) && !one.startsWith('node:'))
  assert.ok(packaged.length > 15)
  for (const specifier of packaged) {
    const [name, path] = partsOf(specifier)
    if (path === undefined || documented.has(specifier)) continue
    const text = readFileSync(`node_modules/${name}/package.json`, 'utf8')
    assert.ok((JSON.parse(text) as { exports?: unknown }).exports, `${specifier}: ${name} offers no paths`)
    // throws where its exports do not have it
    import.meta.resolve(specifier)
  }
})

/** files that a service runs: its own, and those of base that they lead to */
function filesOfService(service: string): string[] {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) return
    seen.add(file)
    for (const [, fixed, loaded] of readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g))
      visit(join(dirname(file), fixed ?? loaded ?? ''))
  }
  for (const file of globSync(`${service}/src/**/*.ts`, { exclude: (name) => name.includes('console') })) visit(file)
  return [...seen]
}

test('a service lists exactly the packages that it and its parts of base import', () => {
  for (const service of ['vitrine', 'atelier']) {
    const texts = filesOfService(service).map((file) => readFileSync(file, 'utf8'))
    const imported = texts.flatMap((text) =>
      [
        ...text.matchAll(/^(?:import|export) (?!type )[^'";=]*?from '([@a-z][^':]*)'$|\bimport\('([@a-z][^':]*)'\)/gm),
      ].map(([, fixed, loaded]) => partsOf(fixed ?? loaded ?? '')[0]),
    )
    const { dependencies = {} } = packages[service] ?? {}
    assert.deepEqual([...new Set(imported)].toSorted(), Object.keys(dependencies).toSorted(), service)
  }
})

test('a service has no script that npm runs where the package is installed: what it would call is not in it', () => {
  const run = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
  for (const service of ['vitrine', 'atelier']) {
    const { scripts } = JSON.parse(readFileSync(`${service}/package.json`, 'utf8')) as { scripts: object }
    assert.deepEqual(
      run.filter((name) => name in scripts),
      [],
      service,
    )
  }
})
