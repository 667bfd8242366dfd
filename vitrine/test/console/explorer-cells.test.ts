// What the explorer makes of items, without a browser: columns, short texts, pictures.
import assert from 'node:assert/strict'
import test from 'node:test'
import { columnsOf, shortText } from '../../src/console/pages/explorer/columns.ts'
import { Digits, type ExactJson, Members, readJson } from '../../src/console/pages/explorer/exact-json.ts'
import { picturesIn } from '../../src/console/pages/explorer/pictures.ts'
import { thingsForm } from './things-form.ts'

const form = thingsForm({
  fields: [
    { name: 'page', description: '', type: 'string, uri', kind: 'attribute' },
    { name: 'tree', description: '', type: 'object', kind: 'attribute' },
    { name: 'shot', description: '', type: 'list of object', kind: 'attribute', image: 'list' },
    { name: 'name', description: '', type: 'string', kind: 'attribute' },
    { name: 'none', description: '', type: 'string', kind: 'attribute' },
    { name: 'size', description: '', type: 'integer', kind: 'attribute' },
    { name: 'never', description: '', type: 'string', kind: 'attribute' },
    { name: 'ownerId', description: '', type: 'string', kind: 'linkage' },
  ],
})

const members = (value: object): Members => {
  const read = readJson(JSON.stringify(value))
  assert.ok(read instanceof Members)
  return read
}

test('columns start with the id and names, then pictures, trees, linkages and empty fields', () => {
  const items = [
    members({ none: null, page: 'https://x', ownerId: '7', shot: [], tree: {}, size: 1, name: 'a', new: 'n', id: '1' }),
    members({ id: '2', name: 'b' }),
  ]
  assert.deepEqual(
    columnsOf(form, items).map(({ name }) => name),
    ['id', 'name', 'size', 'shot', 'page', 'tree', 'ownerId', 'new', 'none'],
  )
  assert.deepEqual(columnsOf(form, []), [])
  const [id, name] = columnsOf(form, [members({ id: 'x'.repeat(60), name: 'y'.repeat(60) })])
  assert.deepEqual([id?.width, name?.width], [40, 34])
})

test('a cell is short whatever its value, and null differs from absent', () => {
  assert.equal(shortText(undefined), 'absent')
  assert.equal(shortText(null), 'null')
  assert.equal(shortText(false), 'false')
  assert.equal(shortText(new Digits('9007199254740993')), '9007199254740993')
  assert.equal(shortText(['a', 'b']), 'a, b')
  assert.equal(shortText([]), '[]')
  assert.equal(shortText(['a', null]), '["a", null]')
  assert.equal(shortText(members({ a: { b: 1 } })), '{"a": {"b": 1}}')
  assert.equal(shortText('x'.repeat(100_000)).length, 160)
  assert.equal(shortText(members({ a: 'x'.repeat(100_000) })).length, 160)
})

const urlsOf = (value: ExactJson) => picturesIn(value).map(({ url }) => url)

test('a picture is an https address with its placeholders filled in', () => {
  const url = 'https://pictures.example.com/a.png?x=%2F'
  assert.deepEqual(
    urlsOf(readJson(JSON.stringify([{ url }, { url: 'http://a.example' }, { url: 'javascript:alert(1)' }]))),
    [url, undefined, undefined],
  )
  for (const bad of ['data:image/png;base64,AAAA', 'https://me:pass@a.example/', '//a.example/x', 'x', '', 'https://'])
    assert.deepEqual(urlsOf(members({ url: bad })), [undefined], bad)
  const templateUrl = 'https://a.example/{w}x{h}bb.{f}?{w}&{c}'
  assert.deepEqual(urlsOf(members({ templateUrl, width: 1280, height: 640 })), [
    'https://a.example/640x320bb.png?640&{c}',
  ])
  assert.deepEqual(urlsOf(members({ templateUrl, width: 100, height: 50 })), ['https://a.example/100x50bb.png?100&{c}'])
  assert.deepEqual(urlsOf(members({ templateUrl, width: -1, height: '5' })), [
    'https://a.example/640x640bb.png?640&{c}',
  ])
  for (const none of [null, 'https://a.example/', true, [], [null, 'x'], {}, { url: 5 }])
    assert.deepEqual(urlsOf(readJson(JSON.stringify(none))), [])
  assert.deepEqual(picturesIn(undefined), [])
})
