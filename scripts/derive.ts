// Writes everything that is derived: the examples (asked of the sandbox), the description, and the reference tables.
// With --check it writes nothing and fails where a file differs. What is derived lives in src/derive.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { routes } from '../src/catalogue/index.ts'
import { openSandboxAccount } from '../src/commands/sandbox-account.ts'
import { cliActor } from '../src/commands/session.ts'
import { describe, type Examples } from '../src/derive/openapi.ts'
import { errorsPage, routesPage, settingsPage } from '../src/derive/reference.ts'
import { describeOperator } from '../src/http/operator/description.ts'
import { startSandbox } from '../src/sandbox/sandbox.ts'
import { otherVariables, readSettings, settingsTable, variableOf } from '../src/settings.ts'
import { openHouse } from '../src/wire.ts'

/** long enough that answers of a day and of a year ago are the same */
const sealed = 'a sealed cursor'

/** what the sandbox really answers to each route's example, through the whole service */
async function askExamples(): Promise<Examples> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-derive-'))
  const { publicKey, keyId, issuerId, privateKeyFile } = openSandboxAccount(folder)
  const platform = await startSandbox({ accounts: [{ keyId, issuerId, publicKey }] })
  const connections = { demo: { keyId, issuerId, privateKeyFile } }
  const file = {
    listen: '127.0.0.1:0',
    operatorListen: 'off',
    store: 'sqlite:v.db',
    upstream: { baseUrl: platform.url },
    connections,
  }
  const house = await openHouse(readSettings(file, {}), { folder, observe: () => {} })
  const { key } = await house.keys.issue({ name: 'derive', connections: ['demo'] }, cliActor())
  const { url } = await house.listen()
  const examples: Record<string, unknown> = {}
  for (const { operation, example } of routes) {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${url}/v1/connections/demo${example}`, { headers })
    const body = (await answer.json()) as Record<string, unknown>
    if (answer.status !== 200) {
      // a new route is described without an answer until the sandbox knows its resource
      process.stderr.write(`the sandbox does not answer the example of ${operation}: ${answer.status}\n`)
      continue
    }
    if (typeof body['nextCursor'] === 'string') body['nextCursor'] = sealed
    examples[operation] = body
  }
  await house.close()
  await platform.close()
  rmSync(folder, { recursive: true })
  return examples
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

async function derivedFiles(): Promise<Record<string, string>> {
  const examples = await askExamples()
  return {
    'src/derive/examples.json': json(examples),
    'docs/reference/openapi.json': json(describe(routes, examples)),
    'docs/reference/operator-openapi.json': json(describeOperator()),
    'docs/reference/routes.md': routesPage(routes),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/settings.md': settingsPage(settingsTable, variableOf, otherVariables),
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
if (process.argv.includes('--check')) {
  for (const [file] of stale) process.stderr.write(`${file} is not what is derived: run npm run derive\n`)
  process.stdout.write(`${Object.keys(files).length} derived files, ${stale.length} stale\n`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [file, text] of stale) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    process.stdout.write(`wrote ${file}\n`)
  }
}
