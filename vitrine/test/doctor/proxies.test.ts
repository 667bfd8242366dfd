import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { judgeProxies } from '../../src/doctor/proxies-check.ts'

const stateOf = (...trustedProxies: string[]) => judgeProxies({ settings: { trustedProxies } }).state

test('trusted networks wider than proxies need, such as a whole private range, are a warning', () => {
  for (const wide of [
    '0.0.0.0/0',
    '128.0.0.0/1',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '100.64.0.0/10',
    '10.2.0.0/15',
    '::/0',
    'fc00::/7',
    'fd00::/8',
    '2001:db8::/47',
    '::ffff:0:0/96',
    '::ffff:10.0.0.0/104',
  ])
    assert.equal(stateOf('10.0.3.7', wide), 'warn', wide)
  for (const narrow of [
    '10.0.3.7',
    '10.2.0.0/16',
    '192.168.7.0/24',
    '172.30.8.0/24',
    '203.0.113.0/24',
    '127.0.0.0/8',
    '127.0.0.1',
    '::1',
    '::1/128',
    'fd00:1:2::/48',
    '2001:db8:0:1::/64',
    '::ffff:10.0.3.0/120',
    '::ffff:10.0.3.7',
  ])
    assert.equal(stateOf(narrow), 'ok', narrow)
  assert.equal(stateOf(), 'ok')
})

test('no shipped file and no example of the docs trusts a wide network', () => {
  const files = globSync(['deploy/**/*.json', 'docs/**/*.md', 'examples/**/*', 'README.md'], { withFileTypes: true })
  const named = files
    .filter((one) => one.isFile())
    .flatMap((one) => {
      const text = readFileSync(`${one.parentPath}/${one.name}`, 'utf8')
      return [...text.matchAll(/"?trustedProxies"?: \[([^\]]*)\]/g)].map(([, list = '']) => [one.name, list] as const)
    })
  assert.ok(named.length >= 4, JSON.stringify(named))
  for (const [file, list] of named) assert.equal(stateOf(...JSON.parse(`[${list}]`)), 'ok', `${file}: ${list}`)
  assert.equal(JSON.parse(readFileSync('deploy/kubernetes/settings.json', 'utf8')).trustedProxies, undefined)
})
