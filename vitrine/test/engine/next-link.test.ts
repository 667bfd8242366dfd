import assert from 'node:assert/strict'
import test from 'node:test'
import { readNextCursor } from '../../src/engine/next-link.ts'

const origin = 'https://platform.example'
const target = '/v1/apps/a%2Fb/x?filter%5Bterritory%5D=USA%2CCAN&limit=5&cursor=one'
const read = (next: unknown) => readNextCursor(next, origin, target)

test('the end of a list is an absent, null or empty link', () => {
  for (const end of [undefined, null, '']) assert.equal(read(end), null)
})

test('the cursor is taken from a link to the same request, whatever the order and the encoding', () => {
  assert.equal(read(`${origin}/v1/apps/a%2Fb/x?cursor=Mg.AKw%3D%3D&limit=5&filter[territory]=CAN,USA`), 'Mg.AKw==')
  assert.equal(read('/v1/apps/a%2fb/x?limit=5&filter%5Bterritory%5D=CAN%2CUSA&cursor=two'), 'two')
  assert.equal(read('?limit=5&filter%5Bterritory%5D=CAN%2CUSA&cursor=two'), 'two')
})

test('a link to anything else is rejected', () => {
  const query = 'filter[territory]=USA,CAN&limit=5'
  const wrong: unknown[] = [
    7,
    true,
    {},
    [],
    'http://[',
    `https://evil.example/v1/apps/a%2Fb/x?${query}&cursor=two`,
    `https://platform.example.evil.example/v1/apps/a%2Fb/x?${query}&cursor=two`,
    `http://platform.example/v1/apps/a%2Fb/x?${query}&cursor=two`,
    `https://platform.example:444/v1/apps/a%2Fb/x?${query}&cursor=two`,
    `https://user@platform.example/v1/apps/a%2Fb/x?${query}&cursor=two`,
    `//evil.example/v1/apps/a%2Fb/x?${query}&cursor=two`,
    `${origin}/v1/users?${query}&cursor=two`,
    `${origin}/v1/apps/a/b/x?${query}&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x/../x/y?${query}&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x?limit=5&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x?${query}&include=secret&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x?filter[territory]=USA&limit=5&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x?filter[territory]=USA,CAN&limit=200&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x?${query}&limit=5&cursor=two`,
    `${origin}/v1/apps/a%2Fb/x?${query}`,
    `${origin}/v1/apps/a%2Fb/x?${query}&cursor=`,
    `${origin}/v1/apps/a%2Fb/x?${query}&cursor=one`,
    `${origin}/v1/apps/a%2Fb/x?${query}&cursor=two&cursor=three`,
    `${origin}/v1/apps/a%2Fb/x?${query}&cursor=${'x'.repeat(2_049)}`,
    `${origin}/v1/apps/%zz/x?${query}&cursor=two`,
    'javascript:alert(1)',
  ]
  for (const next of wrong) assert.throws(() => read(next), { code: 'upstream_malformed' }, String(next))
})
