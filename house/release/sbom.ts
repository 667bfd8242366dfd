// What an installed package consists of, as CycloneDX: derived of the lock file alone, so that the same lock file always gives
// the same bytes. There is no date and no number of a run in it.

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
}

export type Lock = Readonly<Record<string, Locked>>

/** packages whose code is built into the console of each service, and which are not installed */
export const builtIn: Readonly<Record<string, readonly string[]>> = {
  atelier: ['@preact/signals', '@xterm/addon-fit', '@xterm/xterm', 'preact'],
  vitrine: ['@preact/signals', 'preact'],
}

type Use = 'required' | 'optional' | 'built-in'

/** where `name` is found from a package at `place`: the nearest folder up the tree, as Node.js looks for it */
function placeOf(lock: Lock, name: string, place: string): string | undefined {
  const own = `${place === '' ? '' : `${place}/`}node_modules/${name}`
  if (lock[own]) return own
  if (place === '') return undefined
  const above = place.lastIndexOf('/node_modules/')
  return placeOf(lock, name, above < 0 ? '' : place.slice(0, above))
}

/** the names that a package stands on, with whether it can do without */
function namesBelow({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked) {
  const wanted = new Map(Object.keys(dependencies ?? {}).map((name) => [name, true]))
  for (const name of Object.keys(peerDependencies ?? {}))
    if (!peerDependenciesMeta?.[name]?.optional) wanted.set(name, true)
  for (const name of Object.keys(optionalDependencies ?? {})) wanted.set(name, false)
  return wanted
}

interface Tree {
  readonly uses: Map<string, Use>
  /** place -> the places that it stands on */
  readonly edges: Map<string, readonly string[]>
}

function grow({ uses, edges }: Tree, lock: Lock, start: string, names: Iterable<string>, use: Use) {
  const visit = (name: string, from: string, isNeeded: boolean, as: Use): string[] => {
    const place = placeOf(lock, name, from)
    if (place === undefined && isNeeded) throw new Error(`${name}, needed by ${from}, is not in the lock file`)
    if (place === undefined) return []
    // what one can do without may be what another needs
    if (uses.get(place) === as || uses.get(place) === 'required') return [place]
    uses.set(place, as)
    const below = [...namesBelow(lock[place] ?? {})].flatMap(([next, needed]) =>
      visit(next, place, needed, needed || as !== 'required' ? as : 'optional'),
    )
    edges.set(place, below)
    return [place]
  }
  return [...names].flatMap((name) => visit(name, start, true, use))
}

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

function hexOf(integrity: string | undefined, place: string): string {
  const [, digest] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity ?? '') ?? []
  if (digest === undefined) throw new Error(`${place} has no SHA-512 in the lock file`)
  return Buffer.from(digest, 'base64').toString('hex')
}

/** npm leaves the old form `licenses` of a package out of the lock file */
const oldForms: Readonly<Record<string, string>> = {
  'node_modules/buildcheck': 'MIT',
  'node_modules/cpu-features': 'MIT',
  'node_modules/ssh2': 'MIT',
}

function licenceOf(locked: string | undefined, place: string) {
  const licence = locked ?? oldForms[place]
  if (licence === undefined) throw new Error(`${place} has no licence in the lock file`)
  return [/\s/.test(licence) ? { expression: licence } : { license: { id: licence } }]
}

function componentOf(product: string, place: string, entry: Locked, use: Use) {
  const whole = nameOf(place)
  const [, group, name = whole] = /^(@[^/]+)\/(.+)$/.exec(whole) ?? []
  const version = entry.version ?? ''
  return {
    type: 'library',
    'bom-ref': purlOf(whole, version),
    ...(group !== undefined && { group }),
    name,
    version,
    scope: use === 'optional' ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: hexOf(entry.integrity, place) }],
    licenses: licenceOf(entry.license, place),
    purl: purlOf(whole, version),
    ...(use === 'built-in' && { properties: [{ name: `${product}:builtInto`, value: 'dist/console' }] }),
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface Sbom {
  readonly components: readonly (ReturnType<typeof componentOf> & { readonly 'bom-ref': string })[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

export function sbomOf(lock: Lock, name: string, description: string) {
  const root = lock[name] ?? {}
  const tree: Tree = { uses: new Map(), edges: new Map() }
  const direct = [
    ...grow(tree, lock, name, Object.keys(root.dependencies ?? {}), 'required'),
    ...grow(tree, lock, name, builtIn[name] ?? [], 'built-in'),
  ]
  const refOf = (place: string): string => purlOf(nameOf(place), lock[place]?.version ?? '')
  const refsOf = (places: readonly string[]): string[] => [...new Set(places.map(refOf))].sort(byText)
  const own = purlOf(name, root.version ?? '')
  // one package in the same version may lie in two places
  const places = new Map([...tree.uses.keys()].sort(byText).map((place) => [refOf(place), place]))
  const refs = [...places.keys()].sort(byText)
  const at = (ref: string): string => places.get(ref) ?? ''
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version: root.version ?? '',
        description,
        licenses: licenceOf(root.license, name),
        purl: own,
      },
    },
    components: refs.map((ref) =>
      componentOf(name, at(ref), lock[at(ref)] ?? {}, tree.uses.get(at(ref)) ?? 'required'),
    ),
    dependencies: [
      { ref: own, dependsOn: refsOf(direct) },
      ...refs.map((ref) => ({ ref, dependsOn: refsOf(tree.edges.get(at(ref)) ?? []) })),
    ],
  }
}
