// Writes everything that is derived: the examples (asked of the sandbox), the descriptions, the client, and the reference.
// With --check it writes nothing, and fails where a file differs or is derived no longer. What is derived lives in src/derive.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { routes } from '../src/catalogue/index.ts'
import { type Lock, sbomOf } from '../../house/release/sbom.ts'
import { type ClientParts, clientParts, clientText } from '../src/derive/client.ts'
import { describeApi } from '../src/derive/openapi.ts'
import { referencePages } from '../src/derive/reference/pages.ts'
import { describeOperator } from '../src/management/description.ts'
import { askErrors } from './examples/ask-errors.ts'
import { askRoutes } from './examples/ask-routes.ts'
import { withExits } from './exits-table.ts'

/** whatever is in here is derived, or was once */
const folder = 'docs/reference'

/** a note at the top of every derived page against edits by hand */
const notice = '<!-- Derived: npm run derive writes this page. -->\n'

const readClientParts = (): ClientParts =>
  Object.fromEntries(clientParts.map((part) => [part, readFileSync(`client/parts/${part}.ts`, 'utf8')])) as ClientParts

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const own = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
const { name, version, description } = own('package.json') as Record<'name' | 'version' | 'description', string>

const versionFile = 'src/version.ts'
const versionText = `// Derived of package.json by npm run derive.\nexport const version = '${version}'\n`

function readSbom() {
  const { packages } = own('../package-lock.json') as { packages: Lock }
  return sbomOf(packages, name, description)
}

async function derivedFiles(): Promise<Record<string, string>> {
  const [examples, errorExamples] = await Promise.all([askRoutes(), askErrors()])
  const book = referencePages(routes, examples, errorExamples)
  const pages = [...book].map(([name, text]) => [`${folder}/${name}`, `${notice}${text}`] as const)
  return {
    [versionFile]: versionText,
    'src/derive/examples.json': json(examples),
    'client/vitrine.ts': clientText(routes, readClientParts()),
    'src/derive/error-examples.json': json(errorExamples),
    [`${folder}/openapi.json`]: json(describeApi(routes, examples)),
    [`${folder}/sbom.cdx.json`]: json(readSbom()),
    [`${folder}/operator-openapi.json`]: json(describeOperator()),
    ...Object.fromEntries(pages),
    'docs/guides/command-line.md': withExits(readFileSync('docs/guides/command-line.md', 'utf8')),
  }
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const files = await derivedFiles()
const stale = Object.entries(files).filter(([file, text]) => read(file) !== text)
const left = globSync(`${folder}/**/*.*`).filter((file) => !(file in files))
if (process.argv.includes('--check')) {
  for (const [file] of stale) process.stderr.write(`${file} is not what is derived: run npm run derive\n`)
  for (const file of left) process.stderr.write(`${file} is derived no longer: run npm run derive\n`)
  process.stdout.write(`${Object.keys(files).length} derived files, ${stale.length + left.length} stale\n`)
  process.exitCode = stale.length + left.length > 0 ? 1 : 0
} else {
  for (const [file, text] of stale) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    process.stdout.write(`wrote ${file}\n`)
    // this process has read the old one
    if (file === versionFile) process.stdout.write('run npm run derive once more: the other files carry the version\n')
  }
  for (const file of left) {
    rmSync(file)
    process.stdout.write(`removed ${file}\n`)
  }
}
