// Compiles a small program against the types of the installed package, in both ways that programs find them, strictly, with
// nothing but the language and the web's own types: node types.ts FOLDER
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const [folder = ''] = process.argv.slice(2)

const program = `import { RateLimitedError, Vitrine, VitrineError, operations } from 'vitrine/client'

const vitrine = new Vitrine({ url: 'http://127.0.0.1:8080', key: 'vtr_x', connection: 'demo' })

export async function names(): Promise<(string | null | undefined)[]> {
  const found: (string | null | undefined)[] = []
  for await (const app of vitrine.listApps({ fields: ['name'], sort: 'name' })) {
    found.push(app.name)
    // @ts-expect-error it was not asked for
    found.push(app.sku)
  }
  return found
}

export const why = (error: unknown): string =>
  error instanceof RateLimitedError ? String(error.retryAfterSec) : error instanceof VitrineError ? error.requestId : ''

export const path: string = operations.listApps.path

// @ts-expect-error there is no such field
export const wrong = vitrine.listApps({ fields: ['nmae'] })
// @ts-expect-error the event has to be named
export const missing = vitrine.getEvent({})
`

const ways = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

writeFileSync(join(folder, 'consumer.mts'), program)
for (const [way, found] of Object.entries(ways)) {
  const compilerOptions = {
    ...found,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    noEmit: true,
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  }
  const config = join(folder, `tsconfig.${way}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ['consumer.mts'] }))
  const { status } = spawnSync(resolve('../node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`the types of the package do not compile where modules are found as ${way} does`)
  process.stdout.write(`the types of the package compile, found as ${way} does\n`)
}
