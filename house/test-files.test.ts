import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { isLong, longFiles, slowFolders, type TestFile, testFiles } from './test-files.ts'

test('every test file is either short or long', () => {
  const there = globSync('**/*.test.ts', { exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) })
  const run = testFiles.map(({ part, file }) => join(part, file))
  assert.deepEqual(run.toSorted(), there.toSorted())
  assert.equal(new Set(run).size, run.length)
})

test('every pattern of long tests matches a file, and every folder has a short test', () => {
  for (const pattern of longFiles)
    assert.ok(
      testFiles.some(({ part, file }) => pattern.test(`${part}/${file}`)),
      String(pattern),
    )
  const folderOf = ({ part, file }: TestFile): string => [part, ...file.split('/').slice(0, 2)].join('/')
  const short = new Set(testFiles.filter((one) => !isLong(one)).map(folderOf))
  // these start several servers, which is what makes them long
  const without = new Set(['vitrine/test/cluster'])
  for (const one of testFiles.filter(isLong))
    assert.ok(
      short.has(folderOf(one)) || without.has(folderOf(one)),
      `${one.file} is long, and its folder has no short test`,
    )
})

test('every slow folder is there', () => {
  for (const folder of slowFolders) assert.ok(existsSync(folder), folder)
})
