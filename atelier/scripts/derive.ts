// Writes what is derived: the pages of docs/reference and the typed client. With --check it only says which files are stale, and
// fails.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lock, sbomOf } from '../../house/release/sbom.ts'
import { type ClientParts, clientParts, clientText } from '../src/api/client-text.ts'
import { problemsPage, routesPage } from '../src/api/reference.ts'
import { descriptionOf } from '../src/description.ts'
import { answerSchemas } from '../src/routes/answer-schemas.ts'
import { routes } from '../src/routes/index.ts'
import { readSettings } from '../src/settings.ts'
import { version } from '../src/version.ts'

const home = join(import.meta.dirname, '..')

function sbom(): object {
  const { name, description } = JSON.parse(read('package.json')) as Record<'name' | 'description', string>
  const { packages } = JSON.parse(read('../package-lock.json')) as { packages: Lock }
  return sbomOf(packages, name, description)
}

const readParts = (): ClientParts =>
  Object.fromEntries(
    clientParts.map((part) => [part, readFileSync(join(home, `client/parts/${part}.ts`), 'utf8')]),
  ) as ClientParts

export function derivedFiles(): Readonly<Record<string, string>> {
  const settings = readSettings({ listen: '127.0.0.1:8090' }, {})
  return {
    'docs/reference/openapi.json': `${JSON.stringify(descriptionOf(settings), null, 2)}\n`,
    'docs/reference/sbom.cdx.json': `${JSON.stringify(sbom(), null, 2)}\n`,
    'docs/reference/routes.md': routesPage(routes),
    'docs/reference/problems.md': problemsPage(),
    'client/atelier.ts': clientText({ routes, schemas: answerSchemas, parts: readParts(), version }),
  }
}

const read = (file: string): string => {
  try {
    return readFileSync(join(home, file), 'utf8')
  } catch {
    return ''
  }
}

if (import.meta.main) {
  const stale = Object.entries(derivedFiles()).filter(([file, text]) => read(file) !== text)
  const isCheck = process.argv.includes('--check')
  for (const [file, text] of stale) {
    process.stdout.write(`${file}: ${isCheck ? 'stale; npm run derive writes it' : 'written'}\n`)
    if (!isCheck) writeFileSync(join(home, file), text)
  }
  if (isCheck && stale.length > 0) process.exitCode = 1
}
