import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'

const program = `import { getCompileCacheDir } from 'node:module'
console.log(getCompileCacheDir() ?? 'none')`

/** a program with its own home folder, which prints where it caches compiled code */
function makeHome(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-home-'))
  const home = join(root, 'vitrine')
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'base/cli'), { recursive: true })
  mkdirSync(join(home, 'bin'), { recursive: true })
  mkdirSync(join(home, 'src'))
  copyFileSync('bin/start.mjs', join(home, 'bin/start.mjs'))
  copyFileSync('../base/cli/compile-cache.mjs', join(root, 'base/cli/compile-cache.mjs'))
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  writeFileSync(join(home, 'src/main.ts'), program)
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, ...clean } = process.env
  void [NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE]
  const run = (env: Record<string, string> = {}) =>
    execFileSync(process.execPath, [join(home, 'bin/start.mjs')], {
      encoding: 'utf8',
      env: { ...clean, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  return { home, cache: join(home, '.cache'), run }
}

test('compiled code is cached beside the program, unreadable for other users', (t) => {
  const { cache, run } = makeHome(t)
  assert.ok(run().startsWith(`${cache}/`))
  assert.equal(statSync(cache).mode & 0o777, 0o700)
  assert.ok(readdirSync(join(cache, readdirSync(cache)[0] ?? '')).length > 0)
  assert.ok(run().startsWith(`${cache}/`))
})

test('a folder that other users could write to is not used, since its content is executed', (t) => {
  for (const mode of [0o777, 0o1777, 0o770, 0o720, 0o750]) {
    const { cache, run } = makeHome(t)
    mkdirSync(cache)
    chmodSync(cache, mode)
    assert.equal(run(), 'none', mode.toString(8))
    assert.deepEqual(readdirSync(cache), [])
  }
})

test('a link and a folder of another user are not used', (t) => {
  const { home, cache, run } = makeHome(t)
  mkdirSync(join(home, 'elsewhere'), { mode: 0o700 })
  symlinkSync(join(home, 'elsewhere'), cache)
  assert.equal(run(), 'none')
  assert.deepEqual(readdirSync(join(home, 'elsewhere')), [])
  if (process.getuid?.() !== 0) return t.diagnostic('only root can create a folder of another user')
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
