import assert from 'node:assert/strict'
import test from 'node:test'
import { Problem } from '../../../base/core/problem.ts'
import { checkPath, isTreeName } from '../../src/files/paths.ts'

const bad = ['', 'tmp/a', '/tmp/', '/tmp//a', '//', '/tmp/./a', '/tmp/../etc/a', '/..', '/.', '/tmp/a\0b', `/${'a'.repeat(4096)}`, `/${'a'.repeat(256)}`,
  `/${Array.from({ length: 65 }, () => 'a').join('/')}`, '/proc', '/proc/self/environ', '/sys/x', '/dev', '/dev/null', '/tmp/*', '/tmp/*/x', '/tmp/a*b', '/tmp/\ud800'] // prettier-ignore

for (const path of bad)
  test(`path ${JSON.stringify(path.slice(0, 24))} is refused`, () => {
    for (const allowRoot of [true, false])
      assert.throws(() => checkPath(path, allowRoot), (error: unknown) => {
        assert.ok(error instanceof Problem)
        const { code, extras } = error as Problem<string>
        assert.deepEqual([code, extras.details?.['field'], typeof extras.details?.['reason']], ['invalid_request', 'path', 'string'])
        return true
      }) // prettier-ignore
  })

test('every other path is taken, and the root for trees', () => {
  for (const path of ['/tmp/a b', '/tmp/é日😀', '/tmp/%2e%2e', '/tmp/-rf', '/tmp/a\nb', '/tmp/...', '/tmp/a?b', '/tmp/a[X]b', '/tmp/a\\Xb', '/devices', '/process/x', '/tmp/dev'])
    checkPath(path, false)
  checkPath(`/${Array.from({ length: 64 }, () => 'a').join('/')}`, false)
  checkPath('/', true)
  assert.throws(() => checkPath('/', false), Problem)
}) // prettier-ignore

test('the name of an entry is relative and bare', () => {
  for (const name of ['a', 'a/b', '...', 'a b', 'é', '?', 'proc']) assert.ok(isTreeName(name), name)
  for (const name of ['', '/a', './a', 'a/', 'a/../b', '..', 'a//b', 'a*', 'a\n', `${'a/'.repeat(64)}a`])
    assert.ok(!isTreeName(name), name)
})
