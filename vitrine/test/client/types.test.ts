import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { build, tsc } from './build.ts'

const expectations = /^ *\/\/ @ts-expect-error.*$/

/** compiles one file as a user of the package does, and returns the lines with errors */
function refusedLines(t: TestContext, text: string, lib: string, types: readonly string[] = []): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-types-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: lib.split(','),
    types,
    typeRoots: [resolve('../node_modules/@types')],
    skipLibCheck: types.length > 0,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['asked.ts'] }))
  writeFileSync(join(folder, 'asked.ts'), text)
  const { stdout } = tsc(['-p', 'tsconfig.json', '--pretty', 'false'], folder)
  const foreign = stdout.split('\n').filter((line) => line !== '' && !/^(asked\.ts\(|\s)/.test(line))
  assert.deepEqual(foreign, [], 'only the file that asks is at fault')
  return [...stdout.matchAll(/^asked\.ts\((\d+),/gm)].map((m) => Number(m[1]))
}

const typed = readFileSync('test/client/types.ts', 'utf8')
const over = (module: string) => typed.replace('../../client/vitrine.ts', module)
const declared = () => build().code

test('the packed types accept and reject the same code as the types of the source', (t) => {
  assert.deepEqual(refusedLines(t, over(declared()), 'es2022,dom'), [])
})

test('the packed types compile with the types of a runtime, without those of a browser', (t) => {
  assert.deepEqual(refusedLines(t, over(declared()), 'es2024', ['node']), [])
})

test('the type check fails at every line below an expectation', (t) => {
  const lines = over(declared()).split('\n')
  const wrong = lines.flatMap((line, i) => (expectations.test(line) ? [i + 2] : []))
  assert.ok(wrong.length > 12)
  const refused = refusedLines(t, lines.map((line) => line.replace(expectations, '')).join('\n'), 'es2022,dom')
  assert.deepEqual([...new Set(refused)], wrong)
})

test('every example in the comments compiles', (t) => {
  const examples = [...readFileSync('client/vitrine.ts', 'utf8').matchAll(/@example\n +\* (.*)/g)].map((m) => m[1])
  assert.equal(examples.length, routes.length)
  const text = `import { Vitrine } from '${declared()}'
const vitrine = new Vitrine({ url: '', key: '' })
${examples.map((example) => example?.replaceAll(String.raw`*\/`, '*/')).join('\n')}
export {}`
  assert.deepEqual(refusedLines(t, text, 'es2022,dom'), [])
})

test('every code block of the guide compiles', (t) => {
  const blocks = readFileSync('docs/guides/client.md', 'utf8').match(/(?:^(?: {4}.*)?\n)+/gm) ?? []
  const code = blocks.map((block) => block.trim()).filter((block) => block !== '' && !block.startsWith('npm '))
  assert.ok(code.length >= 9)
  const names = 'operations, RateLimitedError, ResourceNotFoundError, Vitrine, VitrineError'
  const text = `import { ${names} } from '${declared()}'
declare const vitrine: Vitrine
${code.map((block, i) => `export async function block${i}() {\n${block.replaceAll(/^import .*$/gm, '')}\n}`).join('\n')}`
  assert.deepEqual(refusedLines(t, text, 'es2022,dom'), [])
})

test('the source compiles with only the types of the web platform', () => {
  const { stdout, status } = tsc(['-p', 'tsconfig.client.json', '--noEmit', '--emitDeclarationOnly', 'false'])
  assert.equal(status, 0, stdout)
})
