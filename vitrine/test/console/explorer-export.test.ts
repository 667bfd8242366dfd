// What the explorer saves as a file, and the links to its requests, without a browser.
import assert from 'node:assert/strict'
import test from 'node:test'
import { exportText, fileName } from '../../src/console/pages/explorer/export-file.ts'
import { readJson } from '../../src/console/pages/explorer/exact-json.ts'
import { emptyDraft } from '../../src/console/pages/explorer/request-draft.ts'
import type { ReadAnswer } from '../../src/console/pages/explorer/read-answer.ts'
import type { Run } from '../../src/console/pages/explorer/workbench-state.ts'
import { thingsForm } from './things-form.ts'

const form = thingsForm({
  parameters: [{ name: 'cursor', kind: 'cursor', description: '', required: false }],
  fields: [
    { name: 'name', description: '', type: 'string', kind: 'attribute' },
    { name: 'size', description: '', type: 'integer', kind: 'attribute' },
    { name: 'tree', description: '', type: 'object', kind: 'attribute' },
  ],
})

const pageOf = (body: string): ReadAnswer => ({ body: readJson(body) }) as unknown as ReadAnswer

const runOf = (pages: readonly string[], query = {}): Run => ({
  connection: 'acme',
  draft: { ...emptyDraft, query },
  pages: pages.map(pageOf),
  shown: new Set(),
  at: '2026-11-20T09:04:33.000Z',
})

const first = '{"items":[{"id":"1","name":"=1+1","size":12345678901234567890,"tree":{"a":[1.10]}}],"nextCursor":"next"}'
const last =
  '{"items":[{"id":"2","name":"say \\"hi\\",\\r\\nÜmlaut","size":-4},{"id":"3","name":""}],"nextCursor":null}'

test('CSV has a line for each row, exact digits, quotes as in RFC 4180, and no formula', () => {
  const lines = [
    'id,name,size,tree',
    `1,'=1+1,12345678901234567890,"{""a"": [1.10]}"`,
    '2,"say ""hi"",\r\nÜmlaut",-4,',
    '3,"",,',
    '',
  ]
  assert.equal(exportText(form, runOf([first, last]), 'csv'), `\uFEFF${lines.join('\r\n')}`)
})

test('cells that a spreadsheet would run are text', () => {
  for (const text of ['=A1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '＝1', 'a;=1', ' =1']) {
    const body = JSON.stringify({ items: [{ id: text }], nextCursor: null })
    const [, line = ''] = exportText(form, runOf([body]), 'csv').split('\r\n')
    assert.match(line, /^"?'/, JSON.stringify(text))
  }
})

test('JSON is one page as it came, or all pages with their digits and the last cursor', () => {
  assert.equal(exportText(form, runOf([first]), 'json').replaceAll(/\s/g, ''), first)
  const whole = exportText(form, runOf([first, last]), 'json')
  assert.match(whole, /"size": 12345678901234567890,/)
  const { items, nextCursor } = JSON.parse(whole)
  assert.deepEqual([items.map(({ id }: { id: string }) => id), nextCursor], [['1', '2', '3'], null])
})

test('a part is never named as the whole', () => {
  for (const [run, name] of [
    [runOf([first, last]), 'listThings-acme-2026-11-20T0904.csv'],
    [runOf([last]), 'listThings-acme-2026-11-20T0904.csv'],
    [runOf([first]), 'listThings-acme-2026-11-20T0904-part.csv'],
    [runOf([last], { cursor: 'next' }), 'listThings-acme-2026-11-20T0904-part.csv'],
  ] as const)
    assert.equal(fileName(form, run, 'csv'), name)
  assert.equal(JSON.parse(exportText(form, runOf([first]), 'json')).nextCursor, 'next')
})
