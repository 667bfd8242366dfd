import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'

/** the static imports of a file, without those of types */
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

test('a start loads no module that only some installations or requests need', () => {
  assert.ok(files.size > 80)
  const later = [
    'src/derive/openapi.ts',
    'src/derive/examples.json',
    'src/metrics.ts',
    'src/history.ts',
    'src/spans.ts',
    'src/derive/error-examples.json',
    ...globSync('src/derive/reference/*.ts'),
    'src/operator/operator-server.ts',
    'src/management/description.ts',
    'src/store/postgres.ts',
    'src/operator/console-pages.ts',
    '../base/auth/sessions.ts',
    'src/management/operations.ts',
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

test('a start loads only the used part of each package', () => {
  const named = [...packages].filter((name) => !name.startsWith('node:')).sort()
  assert.deepEqual(named, ['commander', 'jose/jwt/sign', 'lru-cache'])
  // an import of it loads Node's own fetch; base/web/node-http.ts says how to do without
  assert.ok(!packages.has('node:http'))
})
