import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'

const program = `import { getCompileCacheDir } from 'node:module'
console.log(getCompileCacheDir() ?? 'none')`

/** a program in a home of its own, which says where what it compiles is kept */
function makeHome(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-home-'))
  t.after(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'src'))
  copyFileSync('bin/start.mjs', join(home, 'bin/start.mjs'))
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  writeFileSync(join(home, 'src/main.ts'), program)
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, ...clean } = process.env
  void [NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE]
  const run = (env: Record<string, string> = {}) =>
    execFileSync(process.execPath, [join(home, 'bin/start.mjs')], {
      ...{ encoding: 'utf8', env: { ...clean, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    }).trim()
  return { home, cache: join(home, '.cache'), run }
}

test('what is compiled is kept beside the program, where nobody else may look', (t) => {
  const { cache, run } = makeHome(t)
  assert.ok(run().startsWith(`${cache}/`))
  assert.equal(statSync(cache).mode & 0o777, 0o700)
  assert.ok(readdirSync(join(cache, readdirSync(cache)[0] ?? '')).length > 0)
  assert.ok(run().startsWith(`${cache}/`))
})

test('a place that others could fill is not used: what is kept there runs', (t) => {
  for (const mode of [0o777, 0o1777, 0o770, 0o720, 0o750]) {
    const { cache, run } = makeHome(t)
    mkdirSync(cache)
    chmodSync(cache, mode)
    assert.equal(run(), 'none', mode.toString(8))
    assert.deepEqual(readdirSync(cache), [])
  }
})

test('nor is a link, whatever it leads to, nor a folder of somebody else', (t) => {
  const { home, cache, run } = makeHome(t)
  mkdirSync(join(home, 'elsewhere'), { mode: 0o700 })
  symlinkSync(join(home, 'elsewhere'), cache)
  assert.equal(run(), 'none')
  assert.deepEqual(readdirSync(join(home, 'elsewhere')), [])
  if (process.getuid?.() !== 0) return t.diagnostic('somebody else can only be played by root')
  rmSync(cache)
  mkdirSync(cache, { mode: 0o700 })
  chownSync(cache, 65_534, 65_534)
  assert.equal(run(), 'none')
  assert.deepEqual(readdirSync(cache), [])
})

test('where nothing can be written it starts all the same', (t) => {
  const { cache, run } = makeHome(t)
  writeFileSync(cache, 'a file in its place')
  assert.equal(run(), 'none')
})

test('a place that the operator names is taken instead', (t) => {
  const { home, cache, run } = makeHome(t)
  assert.ok(run({ NODE_COMPILE_CACHE: join(home, 'named') }).startsWith(join(home, 'named')))
  assert.ok(!existsSync(cache))
})
