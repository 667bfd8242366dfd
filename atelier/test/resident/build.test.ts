// The committed programs are what the sources build to.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'

const compilers = ['gcc', 'aarch64-linux-gnu-gcc']
const recorded = readFileSync('resident/COMPILER', 'utf8').trim()
const missing = compilers.filter((name) => {
  const { stdout } = spawnSync(name, ['-dumpfullversion'], { encoding: 'utf8' })
  return stdout?.trim() !== recorded
})
const skip =
  missing.length > 0 ? `NOT REBUILT: no ${missing.join(', ')} ${recorded} (packages gcc gcc-aarch64-linux-gnu)` : false

const programs = ['resident-amd64', 'resident-arm64']

test('SHA256SUMS holds the sums of the committed programs', () => {
  execFileSync('sha256sum', ['--check', '--strict', '../SHA256SUMS'], { cwd: 'resident/bin' })
})

function copySources(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'resident-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync('resident', join(folder, 'elsewhere'), { recursive: true, filter: (name) => !name.endsWith('bin') })
  return join(folder, 'elsewhere')
}

test('the sources build to the committed programs, in any folder', { skip }, (t) => {
  const folder = copySources(t)
  for (const out of ['one', 'other']) {
    execFileSync(join(folder, 'build'), [join(folder, out)], { cwd: '/', env: { ...process.env, LANG: out } })
    for (const name of programs)
      assert.ok(readFileSync(join(folder, out, name)).equals(readFileSync(`resident/bin/${name}`)), name)
  }
})

test('the programs are small, static and without an interpreter', () => {
  for (const name of programs) {
    const bytes = readFileSync(`resident/bin/${name}`)
    assert.ok(bytes.length < 40_000, `${name} has ${bytes.length} bytes`)
    const headers = Array.from({ length: bytes.readUInt16LE(56) }, (_, i) => bytes.readUInt32LE(Number(bytes.readBigUInt64LE(32)) + i * bytes.readUInt16LE(54))) // prettier-ignore
    assert.ok(headers.includes(1) && !headers.includes(2) && !headers.includes(3), headers.join())
  }
})
