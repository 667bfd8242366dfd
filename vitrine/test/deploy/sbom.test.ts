// The SBOM against the lock file, the page of dependencies and the licences of the console.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { builtIn, type Lock, sbomOf } from '../../../house/release/sbom.ts'
import { read } from './files.ts'

interface Part {
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly scope: string
  readonly hashes: readonly [{ readonly alg: string; readonly content: string }]
  readonly licenses: readonly [{ readonly license?: { readonly id: string } }]
  readonly properties?: readonly object[]
}

const bom = JSON.parse(read('docs/reference/sbom.cdx.json')) as {
  readonly components: readonly Part[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  readonly metadata: { readonly component: Part }
}
const lock = (JSON.parse(read('../package-lock.json')) as { packages: Lock }).packages
const byText = (a: string, b: string): number => (a < b ? -1 : 1)
const nameOf = ({ group, name }: Part): string => (group === undefined ? name : `${group}/${name}`)

test('every component has the version, licence and digest of the lock file', () => {
  for (const part of bom.components) {
    const entries = Object.entries(lock).filter(([place]) => place.endsWith(`node_modules/${nameOf(part)}`))
    const entry = entries.map(([, one]) => one).find(({ version }) => version === part.version)
    assert.ok(entry, part.purl)
    const digest = Buffer.from(part.hashes[0].content, 'hex').toString('base64')
    assert.deepEqual([part.hashes[0].alg, `sha512-${digest}`], ['SHA-512', entry.integrity], part.purl)
    assert.equal(part.licenses[0].license?.id, entry.license, part.purl)
    assert.equal(part.purl, `pkg:npm/${nameOf(part).replace('@', '%40')}@${part.version}`)
  }
})

test('the SBOM has as many components as the page of dependencies, and those built into the console', () => {
  const [, direct = '', below = ''] =
    /At run time \((\d+), with (\d+) below them/.exec(read('docs/decisions/dependencies.md')) ?? []
  const inside = bom.components.filter(({ properties }) => properties !== undefined)
  assert.equal(bom.components.length - inside.length, Number(direct) + Number(below))
  assert.deepEqual(inside.map(nameOf).sort(byText), ['@preact/signals', '@preact/signals-core', 'preact'])
  assert.deepEqual(bom.components.filter(({ scope }) => scope === 'optional').map(nameOf), ['pg-cloudflare'])
})

test(
  'the components built into the console are those in its licences file',
  { skip: existsSync('dist/console/licences.txt') ? false : 'NOT TRIED: the console is not built' },
  () => {
    const named = [...read('dist/console/licences.txt').matchAll(/^(\S+) (\d\S+), /gm)].map(
      ([, name, version]) => `${name} ${version}`,
    )
    const inside = bom.components.filter(({ properties }) => properties !== undefined)
    assert.deepEqual(inside.map((part) => `${nameOf(part)} ${part.version}`).sort(byText), named)
    assert.ok(builtIn['vitrine']?.every((name) => named.some((one) => one.startsWith(`${name} `))))
  },
)

test('every dependency is a component, listed once and reachable from the package', () => {
  const refs = bom.components.map((part) => part['bom-ref'])
  assert.equal(new Set(refs).size, refs.length)
  const edges = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  assert.deepEqual([...edges.keys()].sort(), [...refs, bom.metadata.component['bom-ref']].sort())
  const reached = new Set<string>()
  const visit = (ref: string) => {
    if (reached.has(ref)) return
    reached.add(ref)
    for (const next of edges.get(ref) ?? assert.fail(ref)) visit(next)
  }
  visit(bom.metadata.component['bom-ref'])
  assert.equal(reached.size, edges.size)
})

test('the SBOM is reproducible, and a component without a digest, licence or lock entry is an error', () => {
  const made = () => sbomOf(lock, 'vitrine', 'x')
  assert.equal(JSON.stringify(made()), JSON.stringify(made()))
  assert.doesNotMatch(JSON.stringify(bom), /timestamp|serialNumber|urn:uuid/)
  const without = (member: string): Lock => ({
    ...lock,
    'node_modules/pg': { ...lock['node_modules/pg'], [member]: undefined },
  })
  assert.throws(() => sbomOf(without('integrity'), 'vitrine', 'x'), /pg has no SHA-512/)
  assert.throws(() => sbomOf(without('license'), 'vitrine', 'x'), /pg has no licence/)
  const { 'node_modules/pg-pool': gone, ...rest } = lock
  assert.ok(gone)
  assert.throws(() => sbomOf(rest, 'vitrine', 'x'), /pg-pool, needed by node_modules\/pg, is not in the lock file/)
})

test('an installation for production gets no package by way of a development dependency', () => {
  // npm leaves out what only development needs; what Atelier needs too, and a development dependency of Vitrine leads to, it installs
  const own = lock['vitrine'] as { dependencies: Record<string, string>; devDependencies: Record<string, string> }
  const entries = Object.entries(lock).map(([place, entry]) => [place, { license: 'MIT', ...entry }] as const)
  const whole = {
    ...Object.fromEntries(entries),
    vitrine: { ...own, dependencies: { ...own.dependencies, ...own.devDependencies } },
  }
  const isForDevelopment = (part: Part) =>
    Object.entries(lock).some(
      ([place, entry]) => place.endsWith(`node_modules/${nameOf(part)}`) && (entry as { dev?: boolean }).dev === true,
    )
  const known = new Set(bom.components.map((part) => part['bom-ref']))
  const reached = (sbomOf(whole, 'vitrine', 'x').components as readonly unknown[] as readonly Part[]).filter(
    (part) => !known.has(part['bom-ref']) && !isForDevelopment(part),
  )
  assert.deepEqual(reached.map(nameOf), [])
})
