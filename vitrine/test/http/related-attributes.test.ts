// Attributes that a row takes from a related resource, which the platform includes.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { contents, dateTime, type Field, page, resource, stamp, text, to } from '../../src/catalogue/define.ts'
import { contract } from '../../src/catalogue/index.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const ofAuthor = (name: string, field: Field): Field => ({
  ...field,
  of: { relation: 'author', type: 'authors', name },
})

const listNotes = page({
  path: '/apps/{appId}/notes',
  group: 'builds',
  summary: 'List the notes of an app',
  from: { read: '/v1/apps/{appId}/notes' },
  returns: resource({
    name: 'Note',
    type: 'notes',
    attributes: {
      date: dateTime(),
      authorName: ofAuthor('name', text()),
      authorDate: ofAuthor('date', dateTime()),
    },
    links: { authorId: to('author', 'authors', 'name', 'Who wrote it.') },
  }),
  asks: ['authorId'],
  reviewed: stamp('4.6', '2027-01-02'),
  example: '/apps/1/notes',
})
const routes = contents({ ...contract, listNotes })

const linked = (id: string, author: object) => ({
  type: 'notes',
  id,
  attributes: { date: '2026-01-02T00:00:00Z' },
  relationships: { author },
})
const anna = { type: 'authors', id: 'a1', attributes: { name: 'Anna', date: '2025-01-01T00:00:00Z', secret: 's' } }
const byAnna = { data: { type: 'authors', id: 'a1' } }

async function startNotes(t: TestContext, document: object) {
  const { service, platform, close } = await startScripted((_, res) => send(res, { links: {}, ...document }), {
    routes,
  })
  t.after(close)
  return { platform, read: (query = '') => service.ask(`/apps/1/notes${query}`) }
}

test('rows hold the attributes of what they are related to, beside their own, and nothing else of it', async (t) => {
  const data = [linked('n1', byAnna), linked('n2', { data: null }), linked('n3', byAnna)]
  const { read, platform } = await startNotes(t, { data, included: [anna] })
  const date = '2026-01-02T00:00:00Z'
  const author = { authorName: 'Anna', authorDate: '2025-01-01T00:00:00Z', authorId: 'a1' }
  assert.deepEqual((await read()).json.items, [
    { id: 'n1', date, ...author },
    { id: 'n2', date, authorId: null },
    { id: 'n3', date, ...author },
  ])
  assert.deepEqual(Object.fromEntries(platform.calls[0]?.query ?? []), {
    'fields[notes]': 'date,author',
    include: 'author',
    'fields[authors]': 'name,date',
    limit: '50',
  })
})

test('with `fields`, the related resource is asked for only what is selected of it', async (t) => {
  const { read, platform } = await startNotes(t, { data: [linked('n1', byAnna)], included: [anna] })
  assert.deepEqual((await read('?fields=authorName')).json.items, [{ id: 'n1', authorName: 'Anna' }])
  assert.deepEqual((await read('?fields=date')).json.items, [{ id: 'n1', date: '2026-01-02T00:00:00Z' }])
  const asked = platform.calls.map(({ query }) => Object.fromEntries(query))
  assert.deepEqual(asked, [
    { 'fields[notes]': 'author', include: 'author', 'fields[authors]': 'name', limit: '50' },
    { 'fields[notes]': 'date', limit: '50' },
  ])
})

test('a related resource that was asked for and does not come is a failure, never an empty field', async (t) => {
  const documents = [
    { data: [linked('n1', byAnna)] },
    { data: [linked('n1', byAnna)], included: [{ ...anna, id: 'a2' }] },
    { data: [linked('n1', byAnna)], included: [{ ...anna, type: 'notes' }] },
    { data: [linked('n1', byAnna)], included: {} },
    { data: [linked('n1', byAnna)], included: [{ ...anna, attributes: { name: 7 } }] },
    { data: [linked('n1', {})], included: [anna] },
    { data: [{ type: 'notes', id: 'n1', attributes: {} }], included: [anna] },
  ]
  for (const document of documents) {
    const { status, json } = await (await startNotes(t, document)).read()
    assert.deepEqual([status, json.error?.code], [502, 'upstream_malformed'], JSON.stringify(document))
  }
})
