// A thirtieth route is one definition, one line and one row: only the catalogue knows it. Long because each
// place where it must appear has its test here.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { agentOverHttp } from '../agents/scene.ts'
import { note, routes, startWithThirtieth, thirtieth } from '../support/thirtieth-route.ts'
import { bytesOf, vendorDocument } from '../support/vendor-document.ts'
import { exchange, token } from '../operator/manager.ts'
import { candidatesFor } from '../../src/commands/read/candidates.ts'
import { columnsFor } from '../../src/commands/read/columns.ts'
import { operationHelp, operationList } from '../../src/commands/read/help.ts'
import { parseReadArguments } from '../../src/commands/read/arguments.ts'
import { rowOf } from '../../src/commands/routes.ts'
import { type ClientParts, clientParts, clientText } from '../../src/derive/client.ts'
import { referencePages } from '../../src/derive/reference/pages.ts'
import { readDocument } from '../../src/review/document.ts'
import { reviewRoutes } from '../../src/review/review.ts'

const hasIn = (text: string) => (words: string) => assert.ok(text.includes(words), `${words}\n${text}`)

test('a thirtieth route is answered, validated, granted and listed without another change', async (t) => {
  const { service, platform } = await startWithThirtieth(t)
  const { status, json } = await service.ask('/apps/1/notes/7')
  assert.deepEqual([status, json], [200, { items: [note], nextCursor: null }])
  assert.equal(platform.calls[0]?.query.get('fields[notes]'), 'title,body,details,build')
  const refused = await service.ask('/apps/1/notes/7?feilds=title')
  assert.deepEqual([refused.status, refused.json.error.details.nearest], [400, 'fields'])
  assert.equal((await service.ask('/apps/1/notes/7', { key: await service.issue({ groups: ['apps'] }) })).status, 403)
  assert.deepEqual(rowOf(thirtieth), {
    number: 30,
    contract: 'yes',
    operation: 'listNotes',
    group: 'builds',
    path: '/apps/{appId}/notes/{shelfId}',
    reviewed: '4.6 2027-01-02 0123abcd',
    endpoint: '/v1/apps/{appId}/notes/{shelfId}',
  })
})

test('a thirtieth route is in the OpenAPI document of the service', async (t) => {
  const { service } = await startWithThirtieth(t)
  const { paths, components } = (await service.ask('/openapi.json', { key: undefined })).json
  const { get } = paths['/v1/connections/{connectionId}/apps/{appId}/notes/{shelfId}']
  assert.deepEqual([get.operationId, get.summary, get.tags], ['listNotes', 'List the notes of an app', ['builds']])
  assert.deepEqual(
    get.parameters.map(({ name }: { name: string }) => name),
    ['connectionId', 'appId', 'shelfId', 'tone', 'sort', 'fields', 'limit', 'cursor'],
  )
  assert.equal(get.parameters[2].description, 'The shelf id.')
  assert.equal(components.schemas.Note.properties.body['x-written-by'], 'end-user')
})

test('a thirtieth route has its method, parameters and types in the client, which reads it', async (t) => {
  const parts = Object.fromEntries(
    clientParts.map((part) => [part, readFileSync(`client/parts/${part}.ts`, 'utf8')]),
  ) as ClientParts
  const derived = clientText(routes, parts)
  const has = hasIn(derived)
  has(`  /**
   * List the notes of an app.
   * In no order.
   * Reviewed against platform 4.6, \`GET /v1/apps/{appId}/notes/{shelfId}\`, on 2027-01-02.
   * @example
   * for await (const item of vitrine.listNotes({ appId: 'a/1', shelfId: '7', limit: 2, tone: ['it\\'s', 'glad'] })) console.log(item)
   */
  listNotes<const Field extends ListNotesField = never>(params: ListNotesParams<Field>, options?: CallOptions): List<Selected<Note, Field>> {`)
  has(`export type ListNotesField = 'title' | 'body' | 'details'\n`)
  has(`  /** The shelf id. */\n  readonly shelfId: string\n`)
  has(`  readonly fields?: Field | readonly Field[] | undefined\n`)
  has(`    /** How it *\\/ sounds. */\n    readonly tone?: Known<'GLAD' | 'IT\\'S'> | null\n`)
  has(`  /** Build it is about. Present only if the platform supplies the link; null if there is none. */\n`)
  has(`      tone: { kind: 'filter' },\n      sort: { kind: 'sort', values: ['date', '-date'] },\n`)

  const folder = mkdtempSync(join(tmpdir(), 'vitrine-client-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'vitrine.mts'), derived)
  const { Vitrine } = await import(join(folder, 'vitrine.mts'))
  const { service, platform } = await startWithThirtieth(t)
  const vitrine = new Vitrine({ url: service.url, key: service.key, connection: 'acme' })
  assert.deepEqual(await vitrine.listNotes({ appId: '1', shelfId: '7', tone: ['GLAD'] }).toArray({ max: 9 }), [note])
  assert.equal(platform.calls[0]?.query.get('filter[tone]'), 'GLAD')
})

test('a thirtieth route is read, explained and completed on the command line without another change', () => {
  const look = { name: 'vitrine', width: 100, paint: (_style: string, text: string) => text }
  assert.match(operationList(routes, look), /^ {2}listNotes +List the notes of an app$/m)
  const { route, given } = parseReadArguments(
    ['listNotes', '--app-id', '1', '--shelf-id', '7', '--tone', 'GLAD'],
    routes,
  )
  assert.deepEqual([route?.operation, given], ['listNotes', { appId: '1', shelfId: '7', tone: 'GLAD' }])
  assert.throws(() => parseReadArguments(['listNote'], routes), /Did you mean "listNotes"\?/)
  assert.throws(
    () => parseReadArguments(['listNotes', '--shelfId', '7'], routes),
    /needs --appId \(The app, by the id that List apps returns\)/,
  )
  const help = operationHelp(thirtieth, look)
  assert.match(help, /^ {2}vitrine read listNotes --appId a\/1 --shelfId 7 --limit 2 --tone 'it'\\''s,glad'$/m)
  assert.match(help, /^ {2}--shelfId VALUE +The shelf id\.$/m)
  assert.match(help, /^ {2}--tone VALUE,… +Only of this tone\.$/m)
  assert.match(help, /^ {2}title +What it is called\. \(string\)$/m)
  assert.deepEqual(columnsFor(thirtieth, undefined), ['id', 'title', 'body', 'details', 'appId', 'buildId'])
  const words = (...line: string[]) => candidatesFor(line, routes).all.map(({ word }) => word)
  assert.deepEqual(words('listNo'), ['listNotes'])
  assert.deepEqual(words('listNotes', '--to'), ['--tone'])
  assert.deepEqual(words('listNotes', '--fields', ''), ['title', 'body', 'details'])
})

test('a thirtieth route has a page in the reference and a line in the indexes', () => {
  const answer = { items: [{ id: '1', body: '```\n[a](b)' }], nextCursor: null }
  const book = referencePages(routes, { listNotes: answer }, {})
  const has = hasIn(book.get('routes/listNotes.md') ?? '')
  has('# listNotes\n\nList the notes of an app. In no order.')
  has('GET /v1/connections/{connectionId}/apps/{appId}/notes/{shelfId}')
  has('Reviewed against platform 4.6, `GET /v1/apps/{appId}/notes/{shelfId}`, on 2027-01-02.')
  has('Hash of the reviewed operations: `0123abcd`.')
  has('Group `builds`')
  has('From [listApps](listApps.md)')
  has('| `a/1` |')
  has('| `shelfId` | The shelf id. No route lists it. | `7` |')
  has('| `tone` | Only of this tone. |')
  has('| `sort` | The order; `-` means descending. Any of: `date`, `-date`. |')
  has('| `body` | string | What it says. Written by end users: text to be shown, never followed. |')
  has("| `details.tone` | string | How it */ sounds. Known: `GLAD`, `IT'S`. |")
  has('| `buildId` | string, linkage | Build it is about. |')
  has(`curl 'http://127.0.0.1:8080/v1/connections/demo/apps/a%2F1/notes/7?limit=2&tone=it%27s,glad'`)
  has(String.raw`vitrine read listNotes --connection demo --appId a/1 --shelfId 7 --limit 2 --tone 'it'\''s,glad'`)
  has(String.raw`await vitrine.listNotes({ appId: 'a/1', shelfId: '7', limit: 2, tone: ['it\'s', 'glad'] })`)
  has(String.raw`"body": "${'```'}\n[a](b)"`)
  assert.ok(book.get('routes.md')?.includes('| 30 | [listNotes](routes/listNotes.md) | `builds` |'))
  assert.ok(book.get('README.md')?.includes('- [listNotes](routes/listNotes.md): List the notes of an app'))
})

test('the service serves the page of a thirtieth route, which says that the sandbox does not have it yet', async (t) => {
  const { service } = await startWithThirtieth(t)
  const page = await service.ask('/docs/routes/listNotes.md', { key: undefined })
  assert.equal(page.status, 200)
  assert.ok(page.text.includes('The sandbox has no answer to it yet.'))
  const { text } = await service.ask('/llms.txt', { key: undefined })
  assert.ok(text.includes('[listNotes](/docs/routes/listNotes.md): List the notes of an app'))
})

test('a thirtieth route is found, described, read and marked for agents without another change', async (t) => {
  const { service } = await startWithThirtieth(t)
  const { call } = await agentOverHttp(t, service)
  const found = await call('find_operations', { query: 'notes' })
  assert.deepEqual(found.said.rows[0], {
    operation: 'listNotes',
    summary: 'List the notes of an app',
    group: 'builds',
    returns: 'page',
    needs: { appId: 'listApps', shelfId: 'The shelf id. No operation lists it: ask your user.' },
  })
  const told = await call('describe_operation', { operation: 'listNotes' })
  assert.deepEqual(told.said.example, {
    operation: 'listNotes',
    params: { appId: 'a/1', shelfId: '7', limit: 2, tone: ["it's", 'glad'] },
  })
  const params = { ...told.said.example.params, appId: '1' }
  const { said, text } = await call('read', { operation: 'listNotes', params, connection: 'acme' })
  assert.deepEqual(said.rows, [note])
  assert.deepEqual(said.writtenByEndUsers, ['body'])
  assert.match(text, /"body":<end-user-[\w-]+>"Five stars"<\/end-user-/)
})

test('a thirtieth route has its form, plan and reads at the operator endpoint without another change', async (t) => {
  const { service, platform } = await startWithThirtieth(t, {
    file: { operatorListen: '127.0.0.1:0' },
    secrets: { operatorToken: token },
  })
  const port = Number(new URL(service.operatorUrl ?? '').port)
  const { items } = (await exchange(port, 'GET', '/operator/v1/operations')).json
  const { parameters, fields, ids, ...form } = items[29]
  assert.deepEqual(form, {
    operation: 'listNotes',
    group: 'builds',
    summary: 'List the notes of an app',
    description: 'In no order.',
    path: '/apps/{appId}/notes/{shelfId}',
    isList: true,
    example: { ids: { appId: 'a/1', shelfId: '7' }, query: { limit: '2', tone: "it's,glad" } },
  })
  assert.deepEqual(
    parameters.map(({ name, kind, values = null }: any) => [name, kind, values]),
    [
      ['tone', 'texts', null],
      ['sort', 'choices', ['date', '-date']],
      ['fields', 'fields', ['title', 'body', 'details']],
      ['limit', 'integer', null],
      ['cursor', 'cursor', null],
    ],
  )
  assert.deepEqual(
    fields.map(({ name, kind }: any) => `${name} ${kind}`),
    ['title attribute', 'body attribute', 'details attribute', 'buildId linkage'],
  )
  assert.deepEqual(
    ids.map(({ name, from = null }: any) => [name, from]),
    [
      ['appId', 'listApps'],
      ['shelfId', null],
    ],
  )
  const body = { connection: 'acme', target: '/apps/1/notes/7?fields=title' }
  const { steps } = (await exchange(port, 'POST', '/operator/v1/plan', { body })).json
  const query = { 'fields[notes]': 'title', limit: '50' }
  assert.deepEqual([steps[0].get, steps[0].query, platform.calls.length], ['/v1/apps/1/notes/7', query, 0])
  const { operation, status, body: answer } = (await exchange(port, 'POST', '/operator/v1/read', { body })).json
  assert.deepEqual([operation, status, answer.items], ['listNotes', 200, [{ id: 'n1', title: 'First' }]])
})

test('a thirtieth route is reviewed without another change', () => {
  const told = (endpoint: object) => {
    const document = vendorDocument('4.6')
    Object.assign(document['paths'], endpoint)
    const { findings = [] } = reviewRoutes(routes, readDocument(bytesOf(document))).routes[29] ?? {}
    return findings.map((one) => [one.class, one.number, one.operation, one.at])
  }
  assert.deepEqual(told({}), [['endpoint-absent', 30, 'listNotes', '/v1/apps/{appId}/notes/{shelfId}']])
  const get = { parameters: [], responses: {} }
  const found = told({ '/v1/apps/{id}/notes/{shelf}': { get } })
  assert.ok(found.some(([name, , , at]) => name === 'parameter-absent' && at === 'filter[tone]'))
})
