// A platform that fails two of three calls, each time in another way, and a caller that retries as documented.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Json, page } from '../support/example-routes.ts'
import { type Call, type Script, send, startScriptedPlatform } from '../support/scripted-platform.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { checkNever } from './fault.ts'
import { again, originOf } from './next-link-rows.ts'
import { refusal } from './status-rows.ts'

const [pageCount, perPage] = [20, 3]

/** the requested page */
function documentOf(call: Call): Json {
  const at = Number(call.query.get('cursor') ?? 0)
  const data = Array.from({ length: perPage }, (_, i) => ({
    type: 'subscriptionOfferCodes',
    id: `o${at * perPage + i}`,
    attributes: { name: `offer ${at * perPage + i}` },
  }))
  const next = again(call, originOf(call), { cursor: String(at + 1) }).href
  return { data, links: at + 1 < pageCount ? { next } : {} }
}

const status =
  (code: number, headers: Record<string, string> = {}, body: unknown = refusal()): Script =>
  (_, res) =>
    send(res, body, headers, code)
const text =
  (change: (body: string) => string | Buffer, headers: Record<string, string> = {}): Script =>
  (call, res) =>
    send(res, change(JSON.stringify(documentOf(call))), headers)
const document =
  (change: (whole: Json, call: Call) => unknown): Script =>
  (call, res) =>
    send(res, change(documentOf(call), call))
const linking = (change: (call: Call) => unknown): Script =>
  document((whole, call) => ({ ...whole, links: { next: change(call) } }))
const member = (change: (one: Json) => unknown): Script =>
  document((whole) => ({ ...whole, data: [...whole['data'].slice(1), change(whole['data'][0])] }))
const html = { 'content-type': 'text/html' }
const deep = `${'['.repeat(70)}${']'.repeat(70)}`

const kinds: Readonly<Record<string, Script>> = {
  500: status(500),
  'a broken comma': text((body) => body.replace(',', ',,')),
  '401': status(401),
  '502 in HTML': status(502, html, '<html>PLATFORM'),
  'errors with 200': document(() => refusal()),
  '409': status(409),
  '503 with Retry-After': status(503, { 'retry-after': '1' }),
  'a login page': text(() => '<html>PLATFORM', html),
  'no socket': (_, res) => void res.socket?.destroy(),
  nothing: text(() => ''),
  '429 with Retry-After': status(429, { 'retry-after': '1' }),
  'an empty list, whose type is wrong': document(() => ({ data: {}, links: {} })),
  '504': status(504),
  'data null': document(() => ({ data: null, links: {} })),
  '422': status(422),
  'JSON that breaks off': text((body) => body.slice(0, -9)),
  'half a body': (call, res) => {
    const body = JSON.stringify(documentOf(call))
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': String(body.length) })
    res.write(body.slice(0, 40), () => res.socket?.destroy())
  },
  'text/plain': text((body) => body, { 'content-type': 'text/plain' }),
  '503': status(503),
  'no links': document(({ data }) => ({ data })),
  'two documents': text((body) => body + body),
  '302': status(302, { location: '/v1/users' }),
  '204': (_, res) => void res.writeHead(204).end(),
  'a member without an id': member(({ type }) => ({ type })),
  NaN: text((body) => `${body.slice(0, -1)},"x":NaN}`),
  '206': status(206, {}, { data: [], links: {} }),
  'another type': member((one) => ({ ...one, type: 'users' })),
  '1e400': text((body) => `${body.slice(0, -1)},"x":1e400}`),
  'gzip that breaks off': text((body) => gzipSync(body).subarray(0, -9), { 'content-encoding': 'gzip' }),
  'another parent': member((one) => ({
    ...one,
    relationships: { subscription: { data: { type: 'subscriptions', id: 's2' } } },
  })),
  'depth 70': text((body) => `${body.slice(0, -1)},"x":${deep}}`),
  'an unrequested coding': text((body) => body, { 'content-encoding': 'br' }),
  'a link to another path': linking((call) =>
    again(call, originOf(call), { cursor: '99' }).href.replace('/s1/', '/s2/'),
  ),
  'a link that does not move on': linking(({ url }) => url),
  'a link that is a number': linking(() => 5),
  '400 of our making': status(400),
  'more than was asked for': document((whole) => ({ ...whole, data: Array(201).fill(whole['data'][0]) })),
  '429': status(429),
  '599': status(599),
  'an attribute of another type': member((one) => ({ ...one, attributes: { name: 5 } })),
}

interface Walked {
  readonly items: Json[]
  readonly asked: number
}

/** retries 429 and 502 to 504, after the wait that the answer names */
async function walk(service: Service, check: (answer: Answer) => void): Promise<Walked> {
  const items: Json[] = []
  let asked = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await service.ask(`${page.path}?limit=${perPage}${cursor && `&cursor=${cursor}`}`)
    check(answer)
    assert.ok(++asked < 500, 'a walk without an end')
    if (answer.status === 200) {
      items.push(...answer.json.items)
      cursor = answer.json.nextCursor
      continue
    }
    assert.ok([429, 502, 503, 504].includes(answer.status), answer.text)
    await sleep(Number(answer.headers['retry-after'] ?? 0.05) * 1_000)
  }
  return { items, asked }
}

test(`F138: paging through ${pageCount} pages with ${Object.keys(kinds).length} faults in turn loses and repeats nothing`, async (t) => {
  const names = Object.keys(kinds)
  assert.ok(names.length >= 2 * pageCount)
  const met: string[] = []
  const platform = await startScriptedPlatform(async (call, res) => {
    const number = platform.calls.length
    const name = names[met.length]
    // every third call succeeds, and all of them after the last fault
    if (number % 3 === 0 || name === undefined) return send(res, documentOf(call))
    met.push(name)
    return kinds[name]?.(call, res)
  })
  const service = await startService(platform.url)
  t.after(() => service.close().then(platform.close))
  const due = Array.from({ length: pageCount * perPage }, (_, i) => ({ id: `o${i}`, name: `offer ${i}` }))
  const check = (answer: Answer) => checkNever(answer, { service })

  const rough = await walk(service, check)
  assert.deepEqual(rough.items, due)
  assert.deepEqual(met, names, 'every fault was met')
  assert.ok(rough.asked > pageCount)

  platform.calls.length = 0
  const smooth = await walk(service, check)
  assert.deepEqual(smooth.items, due)
  assert.deepEqual([smooth.asked, platform.calls.length], [pageCount, pageCount], 'nothing is left of it')
  assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
})
