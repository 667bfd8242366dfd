// JSON as the explorer reads it: exact, and without a browser.
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  linesOf,
  Members,
  printBeginning,
  printJson,
  readJson,
  expandable,
} from '../../src/console/pages/explorer/exact-json.ts'

const texts = [
  '{"a":9007199254740993,"b":-0,"c":1E5,"d":0.10,"e":12345678901234567890.123456789}',
  '{"__proto__":{"x":1},"constructor":null,"toString":[],"":{}}',
  String.raw`["\"","\\","\u202e","\ud83d\ude00","[{}],:\n","\\\""]`,
  '[[],[[]],{"a":[{"b":[true,false,null]}]}]',
  ' \n\t{ "a" : [ 1 , 2 ] }\r\n',
  '0',
  '"x"',
  'null',
  'true',
  '[]',
  '{}',
]

test('JSON keeps every digit, name and character', () => {
  for (const text of texts) {
    assert.deepEqual(JSON.parse(printJson(readJson(text))), JSON.parse(text), text)
    assert.deepEqual(JSON.parse(printJson(readJson(text), '  ')), JSON.parse(text), text)
  }
  assert.equal(
    printJson(readJson(texts[0] ?? '')),
    '{"a": 9007199254740993, "b": -0, "c": 1E5, "d": 0.10, "e": 12345678901234567890.123456789}',
  )
  assert.equal(printJson(readJson('{"a":[1,{}],"b":[]}'), '  '), '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}')
  const odd = readJson(texts[1] ?? '')
  assert.ok(odd instanceof Members)
  assert.deepEqual(
    odd.entries.map(([name]) => name),
    ['__proto__', 'constructor', 'toString', ''],
  )
  assert.equal(odd.get('hasOwnProperty'), undefined)
  for (const text of ['', '{', '[1,]', '{"a"}', 'nul', '01', '"', '{"a":1}}'])
    assert.throws(() => readJson(text), SyntaxError, text)
})

test('a string of a megabyte and a nesting of a thousand are read', () => {
  const long = 'x\\"'.repeat(400_000)
  assert.equal(readJson(JSON.stringify({ long })) instanceof Members, true)
  const deep = `${'['.repeat(1_000)}1${']'.repeat(1_000)}`
  assert.equal(printJson(readJson(deep)), deep)
})

test('lines are counted only up to the limit', () => {
  assert.equal(linesOf(readJson('{"a":[1,2],"b":{}}'), 100), 7)
  assert.equal(linesOf(readJson('{}'), 100), 1)
  assert.ok(linesOf(readJson(`[${Array(10_000).fill('[1]').join()}]`), 50) < 60)
})

test('of a large value only as much is expanded as can be drawn at once', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key${i}`, i]))
  const wide = readJson(JSON.stringify(many))
  assert.equal(printBeginning(wide, 40), '{"key0": 0, "key1": 1, "key2": 2, "key3"')
  assert.equal(
    printBeginning(readJson('{"a": [1, {"b": null}], "__proto__": "c"}'), 160),
    '{"a": [1, {"b": null}], "__proto__": "c"}',
  )
  const small = readJson('{"a": [1, {"b": null}]}')
  assert.deepEqual([expandable(small).branches.size, expandable(small).isAll], [3, true])
  const lists = readJson(JSON.stringify(Array.from({ length: 200 }, () => Array.from({ length: 100 }, () => [1]))))
  const { branches, isAll } = expandable(lists)
  assert.ok(!isAll && branches.has(lists))
  // a list of 100 takes 101 lines: 49 of them and the outermost fit
  assert.equal(branches.size, 48)
})
