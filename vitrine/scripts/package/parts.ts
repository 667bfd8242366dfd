// Holds the list of parts that a package carries against two that know nothing of it, what an installation of it has laid down,
// and what npm says of the lock file: node parts.ts FOLDER
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = ''] = process.argv.slice(2)

interface Component {
  readonly group?: string
  readonly name: string
  readonly purl: string
  readonly hashes?: readonly { readonly content: string }[]
  readonly licenses: readonly object[]
  readonly properties?: readonly object[]
}
interface Bom {
  readonly components: readonly Component[]
}

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'))
const { components } = readJson(folder, 'node_modules/vitrine/dist/sbom.cdx.json') as Bom
const wholeName = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)
const complaints: string[] = []

const laid = readJson(folder, 'node_modules/.package-lock.json') as { packages: Record<string, object> }
// an installation may take a newer version than the lock file, so it is the names that agree
const installed = new Set(Object.keys(laid.packages).map((place) => place.replace(/^.*node_modules\//, '')))
installed.delete('vitrine')
// what is built into the console has properties that say so, and is not installed
const told = new Set(components.filter(({ properties }) => properties === undefined).map(wholeName))
for (const name of told) if (!installed.has(name)) complaints.push(`${name} is listed, and was not installed`)
for (const name of installed) if (!told.has(name)) complaints.push(`${name} was installed, and is not listed`)

const said = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 2 ** 26,
})
const factsOf = ({ purl, hashes, licenses }: Component): string =>
  JSON.stringify([purl, hashes?.[0]?.content, licenses])
const facts = new Set((JSON.parse(said) as Bom).components.map(factsOf))
for (const one of components)
  if (!facts.has(factsOf(one))) complaints.push(`npm says something else of ${wholeName(one)}`)

for (const complaint of complaints) process.stderr.write(`the list of parts: ${complaint}\n`)
process.stdout.write(`${told.size} parts are listed, and ${installed.size} were installed\n`)
process.exitCode = complaints.length === 0 ? 0 : 1
