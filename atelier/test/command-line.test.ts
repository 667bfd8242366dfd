import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import test from 'node:test'

const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' })
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

test('the launcher prints the version of the package, from the top of the checkout, too', () => {
  for (const program of ['bin/atelier', '../bin/atelier']) {
    const { stdout, status } = run(resolve(program), '--version')
    assert.deepEqual([stdout, status], [`${version}\n`, 0])
  }
})

test('without a command the program prints its help and fails', () => {
  const { stderr, status } = run(resolve('bin/atelier'))
  assert.match(stderr, /^Usage: atelier /)
  assert.equal(status, 1)
})

test('an unknown command or option is refused by name', () => {
  assert.match(run(resolve('bin/atelier'), '--colour').stderr, /unknown option '--colour'/)
})
