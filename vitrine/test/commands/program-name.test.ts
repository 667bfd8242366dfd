import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { programName } from '../../src/commands/program-name.ts'

test('the program is called as it can be called from where the reader stands', () => {
  assert.equal(programName(process.cwd(), '/usr/bin'), 'bin/vitrine')
  assert.equal(programName(process.cwd(), `/usr/bin:${process.cwd()}/bin`), 'vitrine')
  assert.equal(programName('/', '/usr/bin'), `${process.cwd()}/bin/vitrine`)
})

test('where the package is installed, a printed line names the installed program, and no registry is asked for it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-installed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('bin/vitrine'), join(folder, 'node_modules/.bin/vitrine'))
  assert.equal(programName(folder, `/usr/bin:${folder}/node_modules/.bin`), 'node_modules/.bin/vitrine')
})
