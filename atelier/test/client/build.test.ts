// The client as it is packed: its size, its needs and its exports.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { isForKeys } from '../../src/api/client-text.ts'
import { routes } from '../../src/routes/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'atelier-client-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const code = join(folder, 'atelier/client/atelier.js')

test('the client compiles with nothing but the language and the types of the web', () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const config of ['tsconfig.build.json', 'tsconfig.client.json']) {
    const args = [resolve('../node_modules/typescript/bin/tsc'), '-p', config, '--outDir', folder]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  }
})

test('the client is one file that uses only what every runtime has', () => {
  for (const file of ['client/atelier.ts', code, code.replace(/js$/, 'd.ts')]) {
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /^\s*(import\b|export .* from\b)|\bimport\(|\brequire\(|node:/m, file)
    assert.doesNotMatch(text, /\b(process|Buffer|window|document|Deno|Bun)\.\w/, file)
  }
})

test('the guide states the size of the build', () => {
  const bytes = readFileSync(code).length
  const packed = gzipSync(readFileSync(code), { level: 9 }).length
  assert.ok(bytes <= 32_000 && packed <= 9_500, `${bytes} bytes, ${packed} in gzip`)
  const told = /([\d.]+) kB of JavaScript, ([\d.]+) kB in gzip/.exec(readFileSync('docs/client.md', 'utf8'))
  const isNear = (said: string | undefined, is: number) => Math.abs(Number(said) - is / 1000) <= 0.3
  assert.ok(isNear(told?.[1], bytes) && isNear(told?.[2], packed), `it is ${bytes} bytes, ${packed} in gzip`)
})

test('the client exports what is documented, and nothing internal', async () => {
  assert.deepEqual(Object.keys(await import(pathToFileURL(code).href)).toSorted(), [
    'Atelier',
    'AtelierError',
    'List',
    'operations',
  ])
})

test('every route that a key reaches is a method under its operationId, and is in the guide', async () => {
  const { Atelier, operations } = await import('../../client/atelier.ts')
  const names = routes.filter(isForKeys).map(({ operationId }) => operationId)
  assert.deepEqual(Object.keys(operations), names)
  const guide = readFileSync('docs/client.md', 'utf8')
  for (const name of Object.getOwnPropertyNames(Atelier.prototype).filter((one) => one !== 'constructor'))
    assert.ok(guide.includes(`\`${name}\``), name)
  for (const name of names) assert.equal(typeof Reflect.get(Atelier.prototype, name), 'function', name)
})

test('the package exports the client under its name, with its types first', () => {
  const { exports: shown } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.deepEqual(Object.entries(shown['./client']), [
    ['types', './dist/atelier/client/atelier.d.ts'],
    ['default', './dist/atelier/client/atelier.js'],
  ])
})
