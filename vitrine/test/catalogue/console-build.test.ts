// Builds a small console in a separate folder.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

const page = (more = '') =>
  `<!doctype html><html lang="en"><head><title>Small</title>${more}</head><body><div id="root"></div><script type="module" src="./main.tsx"></script></body></html>`
const script = (word: string) =>
  `import { render } from 'preact'\nimport './main.css'\nrender(<p>${word}</p>, document.body)\n`

function openFolder(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-build-'))
  const home = join(root, 'vitrine')
  t.after(() => rmSync(root, { recursive: true }))
  for (const file of ['scripts/build-console.mjs', '../base/console/build', '../package-lock.json', '../tsconfig.json'])
    cpSync(file, join(home, file), { recursive: true })
  mkdirSync(join(home, 'src/console'), { recursive: true })
  symlinkSync(resolve('../node_modules'), join(root, 'node_modules'))
  const write = (name: string, text: string) => writeFileSync(join(home, 'src/console', name), text)
  write('index.html', page())
  write('main.tsx', script('first'))
  write('main.css', 'p { color: red }')
  return {
    home,
    write,
    read: (file: string) => readFileSync(join(home, 'dist/console', file)),
    made: () => globSync('**/*', { cwd: join(home, 'dist/console') }).sort(),
    async build(env: Record<string, string> = {}) {
      const child = spawn(process.execPath, ['scripts/build-console.mjs'], {
        cwd: home,
        env: { ...process.env, ...env },
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)))
      await once(child, 'close')
      return { said, status: child.exitCode }
    },
  }
}

test('the build has a page, hashed files, two compressed forms of each text, and the licences of its parts', async (t) => {
  const { home, build, made, read } = openFolder(t)
  assert.match((await build()).said, /^console: built 3 files in \d+ ms\.\n$/)
  const hashed = made()
    .map((file) => file.replace(/-[\w-]{8}(?=\.)/, '-HASH'))
    .sort()
  const three = (file: string) => [file, `${file}.br`, `${file}.gz`]
  assert.deepEqual(hashed, [
    'assets',
    ...['assets/index-HASH.css', 'assets/index-HASH.js'].flatMap(three).sort(),
    'built-from.txt',
    ...three('index.html'),
    'licences.txt',
  ])
  for (const file of made().filter((one) => /\.(html|js|css)$/.test(one))) {
    assert.deepEqual(brotliDecompressSync(read(`${file}.br`)), read(file))
    assert.deepEqual(gunzipSync(read(`${file}.gz`)), read(file))
    assert.doesNotMatch(read(file).toString(), /sourceMappingURL|node_modules/)
    assert.ok(!read(file).includes(home))
  }
  const licences = read('licences.txt').toString()
  assert.match(licences, /^preact \d+\.\d+\.\d+, MIT$/m)
  assert.match(licences, /Copyright \(c\) 2015-present Jason Miller/)
  assert.equal(statSync(join(home, 'dist/console')).mode & 0o777, 0o755, 'every user can read it')
})

test('the console is rebuilt exactly when the source, the lock file or the script has changed', async (t) => {
  const { home, build, write, read } = openFolder(t)
  const change = (file: string) => writeFileSync(join(home, file), `${readFileSync(join(home, file), 'utf8')}\n`)
  const isBuilt = async () => / built \d+ files/.test((await build()).said)
  assert.ok(await isBuilt())
  assert.equal((await build()).said, 'console: nothing has changed since it was built.\n')
  write('main.tsx', script('first'))
  assert.equal(await isBuilt(), false, 'the same content again is no change')
  for (const file of ['../package-lock.json', 'scripts/build-console.mjs', '../base/console/build/stamp.mjs']) {
    change(file)
    assert.ok(await isBuilt(), file)
  }
  const before = read('index.html')
  write('main.tsx', script('second'))
  assert.ok(await isBuilt())
  assert.notDeepEqual(read('index.html'), before, 'other content has another name')
  writeFileSync(join(home, 'src/word.ts'), "export const word = 'third'\n")
  write('main.tsx', `import { word } from '../word.ts'\n${script('{word}')}`)
  assert.ok(await isBuilt())
  assert.equal(await isBuilt(), false)
  writeFileSync(join(home, 'src/word.ts'), "export const word = 'fourth'\n")
  assert.ok(await isBuilt(), 'what it takes from elsewhere in the project')
  assert.match(read('built-from.txt').toString(), /^[\da-f]{64}\n[\da-f]{64}\nvitrine\/src\/word\.ts\n$/)
  write('main.tsx', script('second'))
  assert.ok(await isBuilt())
  rmSync(join(home, 'src/word.ts'))
  assert.equal(await isBuilt(), false, 'and takes no longer')
  write('unused.ts', '')
  assert.ok(await isBuilt(), 'a file more')
  rmSync(join(home, 'src/console/unused.ts'))
  assert.ok(await isBuilt(), 'a file less')
})

test('a failed build says why and keeps the previous one', async (t) => {
  const { home, build, write, read } = openFolder(t)
  await build()
  const before = read('index.html')
  for (const [more, what] of [
    ['<script>1</script>', '<script>'],
    ['<style>p{}</style>', '<style'],
  ] as const) {
    write('index.html', page(more))
    const { said, status } = await build()
    assert.equal(status, 1, said)
    assert.ok(said.includes(`index.html has something inline, which the policy of the page forbids: ${what}`), said)
  }
  write('index.html', page())
  write('main.tsx', 'import ./nothing')
  assert.equal((await build()).status, 1)
  assert.deepEqual(read('index.html'), before)
  assert.deepEqual(globSync('dist/.*', { cwd: home }), [])
})

test('builds that run at the same time leave one complete result', async (t) => {
  const { home, build, read, made } = openFolder(t)
  for (const { status, said } of await Promise.all([build(), build(), build()])) assert.equal(status, 0, said)
  const named = [
    ...read('index.html')
      .toString()
      .matchAll(/"\/(assets\/[^"]+)"/g),
  ].map(([, file = '']) => file)
  assert.ok(named.length === 2 && named.every((file) => made().includes(file)))
  assert.deepEqual(globSync('dist/{.*,*}', { cwd: home }), ['dist/console'])
})

test('without the development packages an installation succeeds and a build fails', async (t) => {
  const { home, build } = openFolder(t)
  rmSync(join(home, '../node_modules'))
  const said = 'console: not built, since vite is not installed: run npm ci with the packages for development.\n'
  assert.deepEqual(await build({ npm_lifecycle_event: 'prestart' }), { said, status: 0 })
  for (const event of ['build', 'test', ''])
    assert.deepEqual(await build({ npm_lifecycle_event: event }), { said, status: 1 })
  assert.equal(existsSync(join(home, 'dist')), false)
})
