import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

/** what a file imports before it runs; types cost nothing */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(?:import|export)(?! type\b)(?:[^'";]*?from)? '([^']+)'/gm)]
    .filter(([whole]) => !/^(?:import|export) \{(?: *type [^,}]+,?)+\}/.test(whole.replaceAll('\n', ' ')))
    .map((m) => m[1] ?? '')
}

function reachedFrom(entries: readonly string[]) {
  const [files, packages] = [new Set<string>(), new Set<string>()]
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    if (!file.endsWith('.ts')) return
    for (const name of importsOf(file))
      if (name.startsWith('.')) visit(join(dirname(file), name))
      else packages.add(name)
  }
  entries.forEach(visit)
  return { files, packages }
}

const { files, packages } = reachedFrom(['src/main.ts', 'src/commands/serve.ts'])

test('a start loads nothing that only some installations, or some requests, need', () => {
  assert.ok(files.size > 80)
  const later = [
    ...['src/derive/openapi.ts', 'src/derive/examples.json', 'src/metrics.ts', 'src/history.ts', 'src/spans.ts'],
    ...['src/derive/error-examples.json', ...globSync('src/derive/reference/*.ts')],
    ...['src/http/operator/door.ts', 'src/http/operator/description.ts', 'src/store/postgres.ts'],
    ...['src/http/operator/console-pages.ts', 'src/http/operator/sessions.ts', 'src/http/operator/table.ts'],
    ...globSync('src/sandbox/**/*.ts'),
    ...globSync('src/agents/*.ts'),
    ...globSync('src/doctor/*.ts'),
    ...globSync('src/replicas/*.ts').filter((file) => file !== 'src/replicas/shared.ts'),
  ]
  assert.deepEqual(
    later.filter((file) => files.has(file)),
    [],
  )
})

test('of each package a start loads the part that is used', () => {
  const named = [...packages].filter((name) => !name.startsWith('node:')).sort()
  assert.deepEqual(named, [
    ...['commander', 'fastify', 'jose/jwt/sign', 'lru-cache', 'pino'],
    'rate-limiter-flexible/lib/RateLimiterMemory.js',
    ...['undici/lib/core/errors.js', 'undici/lib/dispatcher/pool.js'],
  ])
  // an import of it loads Node's own fetch; src/http/node-http.ts says how to do without
  assert.ok(!packages.has('node:http'))
})
