// Size of the first load of the console: the bytes on the wire at the operator endpoint, not the files.
import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { namedBy, partsOf } from '../../../base/test/page-load.ts'
import { buildConsole, load } from '../support/console-build.ts'
import { startManager } from '../operator/manager.ts'

/** kilobytes of 1,000 bytes, the stricter definition */
const most = 60_000
const decode = { br: brotliDecompressSync, gzip: gunzipSync }

for (const coding of ['br', 'gzip'] as const)
  test(`the first load of the console is below 60 kB by ${coding}, at each page that it can start with`, async (t) => {
    buildConsole()
    const { port } = await startManager(t)
    const ask = async (path: string) => {
      const { status, headers, bytes } = await load(port, path, { 'accept-encoding': coding })
      assert.deepEqual([status, headers['content-encoding']], [200, coding], path)
      return bytes
    }
    const page = await ask('/')
    const first = namedBy(decode[coding](page).toString())
    assert.ok(first.length >= 3, 'an icon, a script and a style sheet at least')
    const sizes = new Map(await Promise.all(first.map(async (path) => [path, (await ask(path)).length] as const)))
    const sum = (paths: Iterable<string>) =>
      [...paths].reduce((total, path) => total + (sizes.get(path) ?? NaN), page.length)
    const bytes = sum(first)
    assert.ok(bytes < most, `${bytes} bytes`)

    const script = first.find((path) => /\/index-[\w-]+\.js$/.test(path)) ?? assert.fail('no script')
    const parts = partsOf(decode[coding](await ask(script)).toString(), '/')
    assert.deepEqual(parts.map(([name]) => name).sort(), [
      'access',
      'audit',
      'connections',
      'explorer',
      'health',
      'keys',
      'overview',
    ])
    const told = [`${bytes} bytes in ${first.length + 1} files`]
    for (const [name, files] of parts) {
      for (const path of files) if (!sizes.has(path)) sizes.set(path, (await ask(path)).length)
      const whole = sum(new Set([...first, ...files]))
      told.push(`${name} ${whole}`)
      assert.ok(whole < most, `${whole} bytes until ${name} shows`)
    }
    t.diagnostic(`${coding}: ${told.join(', ')}`)
  })
