import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { contents, listed, one, page, resource, stamp, text } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { type ClientParts, clientParts, clientText } from '../../src/derive/client.ts'

const build = resource({ name: 'Build', type: 'builds', attributes: { version: text('Build number.') } })
const shared = { group: 'builds', reviewed: stamp('4.5.1', '2026-11-20'), returns: build } as const

const parts = Object.fromEntries(
  clientParts.map((part) => [part, readFileSync(`client/parts/${part}.ts`, 'utf8')]),
) as ClientParts

test('the committed client is the derived one, and imports nothing', () => {
  const derived = clientText(routes, parts)
  assert.equal(derived, readFileSync('client/vitrine.ts', 'utf8'))
  assert.doesNotMatch(derived, /^import /m)
})

test('a name with two meanings stops the derivation', () => {
  const twice = page({
    ...shared,
    path: '/builds/{buildId}/twins',
    summary: 'List twins',
    from: { read: '/v1/builds/{buildId}/twins' },
    filters: { buildId: listed(['1'], 'Only these.') },
    example: '/builds/7/twins',
  })
  assert.throws(() => clientText(contents({ twice }), parts), /twice has buildId in its path and in its query/)
  const named = one({ ...shared, path: '/l/{x}', summary: 'L', from: { read: '/v1/l/{x}' }, example: '/l/1' })
  for (const name of ['List', 'Page', 'VitrineError', 'Whoami', 'CallOptions'])
    assert.throws(
      () => clientText(contents({ named: { ...named, returns: { ...build, name } } as typeof named }), parts),
      new RegExp(`${name} is the name of something else in the client`),
    )
})
