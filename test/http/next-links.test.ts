import assert from 'node:assert/strict'
import test from 'node:test'
import { guard, ids, listing, page, type Place } from '../ground/places.ts'
import { type Call, send } from '../ground/scripted-platform.ts'
import { startScripted } from '../ground/service.ts'

type Next = (call: Call, origin: string) => unknown

const search = ({ query }: Call): string => query.toString()

/** the asked URL with changes: a value sets a parameter, null deletes it */
const again = ({ url }: Call, origin: string, changes: Record<string, string | null>): URL => {
  const next = new URL(url, origin)
  for (const [name, value] of Object.entries(changes))
    if (value === null) next.searchParams.delete(name)
    else next.searchParams.set(name, value)
  return next
}

const scripted = async (t: test.TestContext) => {
  const { platform, service, close } = await startScripted(() => {})
  t.after(close)
  return {
    platform,
    service,
    /** asks for the place over a platform whose list ends in this link */
    async follow(place: Place, next: Next, query = '') {
      platform.calls.length = 0
      platform.script = (call, res) => {
        const links = { self: 'x', next: next(call, platform.url) }
        if (call.path === place.read) send(res, { ...place.healthy, data: placeData(place), links })
        else send(res, place.others[call.path])
      }
      return service.ask(place.path + query)
    },
  }
}

/** the listings do not settle anything on their first page, so that the link has to be followed */
const placeData = (place: Place): unknown[] => (place === listing || place === guard ? [] : place.healthy['data'])

const refused: Record<string, Next> = {
  'on another host': (call) => again(call, 'http://localhost:9', { cursor: 'c2' }).href,
  'on another host of the same beginning': (call, origin) => `${origin}.example.com${call.url}&cursor=c2`,
  'without a scheme': (call) => `//evil.example${call.url}&cursor=c2`,
  'with backslashes': (call) => `\\\\evil.example${call.url}&cursor=c2`,
  'hidden by a line end': (call) => `h\nttp://evil.example${call.url}&cursor=c2`,
  'with https': (call, origin) => again(call, origin, { cursor: 'c2' }).href.replace('http:', 'https:'),
  'on another port': (call) => again(call, 'http://127.0.0.1:9', { cursor: 'c2' }).href,
  'with a user': (call, origin) => again(call, origin, { cursor: 'c2' }).href.replace('//', '//a@'),
  'with a password': (call, origin) => again(call, origin, { cursor: 'c2' }).href.replace('//', '//:b@'),
  'with the file scheme': (call) => `file://${call.url}&cursor=c2`,
  'as data': () => 'data:application/json,{}',
  'to another path': (call, origin) => `${origin}/v1/users?${search(call)}&cursor=c2`,
  'to the path above': (call, origin) => `${origin}${call.path}/../x?${search(call)}&cursor=c2`,
  'with encoded dots': (call, origin) => `${origin}${call.path}/%2e%2e?${search(call)}&cursor=c2`,
  'with one slash more': (call, origin) => `${origin}${call.path}/?${search(call)}&cursor=c2`,
  'with an encoded slash': (call, origin) =>
    `${origin}${call.path.replace(/\/(\w+)$/, '%2F$1')}?${search(call)}&cursor=c2`,
  'with a broken escape': (call, origin) => `${origin}${call.path}%zz?${search(call)}&cursor=c2`,
  'without a cursor': (call, origin) => again(call, origin, {}).href,
  'with an empty cursor': (call, origin) => again(call, origin, { cursor: '' }).href,
  'with two cursors': (call, origin) => `${again(call, origin, { cursor: 'c2' }).href}&cursor=c3`,
  'a number': () => 5,
  'an object': () => ({ href: 'http://platform/' }),
  'a list': () => [],
  false: () => false,
  'a blank': () => ' ',
  'no URL': () => 'http://[',
  'with a cursor of 20 kB': (call, origin) => again(call, origin, { cursor: 'c'.repeat(20_000) }).href,
  'without our limit': (call, origin) => again(call, origin, { limit: null, cursor: 'c2' }).href,
  'with another limit': (call, origin) => again(call, origin, { limit: '7', cursor: 'c2' }).href,
  'with a filter more': (call, origin) => again(call, origin, { 'filter[x]': 'y', cursor: 'c2' }).href,
}

test('a next link that is not the asked request again is 502, on pages and in listings', async (t) => {
  const { follow, platform } = await scripted(t)
  for (const place of [page, ids, listing, guard])
    for (const [fault, next] of Object.entries(refused))
      await t.test(`${fault}, on ${place.name}`, async () => {
        const { status, json, text } = await follow(place, next)
        assert.deepEqual([status, json.error?.code], [502, 'upstream_malformed'], text)
        assert.equal(platform.calls.length, 1, 'nothing else is asked')
      })
})

test('a relative link, a re-ordered one and one with a fragment are the same request', async (t) => {
  const { follow } = await scripted(t)
  const fine: Record<string, Next> = {
    relative: ({ url }) => `${url}&cursor=c2`,
    'a query alone': ({ query }) => `?${query.toString()}&cursor=c2`,
    're-ordered': ({ path, query }) =>
      `${path}?cursor=c2&${[...query]
        .toReversed()
        .map((pair) => pair.map(encodeURIComponent).join('='))
        .join('&')}`,
    'with a fragment': (call, origin) => `${again(call, origin, { cursor: 'c2' }).href}#end`,
    'escaped otherwise': ({ url }, origin) => `${origin}${url.replace('/v1', '/%76%31')}&cursor=c2`,
  }
  for (const [name, next] of Object.entries(fine))
    await t.test(name, async () => {
      const { status, json } = await follow(page, next)
      assert.equal(status, 200)
      assert.equal(typeof json.nextCursor, 'string')
    })
})

test('null, nothing and an empty text end a list', async (t) => {
  const { follow } = await scripted(t)
  for (const end of [null, undefined, '']) assert.deepEqual((await follow(page, () => end)).json, page.answer)
})

test('an empty or short page with a next link goes on, whatever the total says', async (t) => {
  const { platform, service } = await scripted(t)
  platform.script = (call, res) => {
    const next = again(call, platform.url, { cursor: 'c2' }).href
    const last = call.query.get('cursor') === 'c2'
    send(res, { data: last ? page.healthy['data'] : [], links: last ? {} : { next }, meta: { paging: { total: 0 } } })
  }
  const first = await service.ask(page.path)
  assert.deepEqual(first.json.items, [])
  assert.equal(typeof first.json.nextCursor, 'string')
  assert.deepEqual((await service.ask(`${page.path}?cursor=${first.json.nextCursor}`)).json, page.answer)
})

test('a walk that does not move on, or comes back, is 502 within one lap', async (t) => {
  const { platform, service } = await scripted(t)
  for (const lap of [
    ['A', 'A'],
    ['A', 'B', 'A'],
    ['A', 'B', 'C', 'B'],
  ])
    await t.test(lap.join(' to '), async () => {
      platform.script = (call, res) => {
        const at = lap.lastIndexOf(call.query.get('cursor') ?? '')
        const following = at === lap.length - 1 ? lap[lap.indexOf(lap[at] ?? '') + 1] : lap[at + 1]
        send(res, { ...page.healthy, links: { next: again(call, platform.url, { cursor: following ?? '' }).href } })
      }
      let cursor: string | undefined
      for (let i = 0; i < lap.length - 1; i++) {
        const { status, json } = await service.ask(page.path + (cursor ? `?cursor=${cursor}` : ''))
        assert.equal(status, 200)
        cursor = json.nextCursor
      }
      assert.equal((await service.ask(`${page.path}?cursor=${cursor}`)).status, 502)
    })
})

test('a long cursor of the platform either works on the next page or is 502, never the caller’s fault', async (t) => {
  const { platform, service, follow } = await scripted(t)
  for (const [name, text] of [
    ['plain', 'c'.repeat(2_000)],
    ['escaped', '='.repeat(1_500)],
    ['wide', '\u20ac'.repeat(600)],
  ] as const) {
    const next: Next = (call, origin) => (call.query.has('cursor') ? null : again(call, origin, { cursor: text }).href)
    await t.test(`${name}, on a page`, async () => {
      const { status, json } = await follow(page, next)
      if (status === 502) return
      const second = await service.ask(`${page.path}?cursor=${json.nextCursor}`)
      assert.deepEqual(second.json, page.answer)
      assert.equal(platform.calls.at(-1)?.query.get('cursor'), text)
    })
    await t.test(`${name}, in a listing`, async () => {
      const { status, json } = await follow(listing, next)
      assert.ok(status === 502 || json.error.type === 'localization_not_found', `${status} ${json.error.code}`)
    })
  }
})

test('a listing is followed to its end, and one that fails or never ends is 502', async (t) => {
  const { platform, service } = await scripted(t)
  const walk = (onPage: (n: number) => { data: unknown[]; more: boolean } | undefined) => {
    platform.script = (call, res) => {
      if (call.path !== listing.read) return send(res, listing.others[call.path])
      const n = Number(call.query.get('cursor') ?? 1)
      const it = onPage(n)
      if (!it) return send(res, { errors: [{ code: 'NOT_FOUND' }] }, {}, 404)
      const next = it.more ? again(call, platform.url, { cursor: String(n + 1) }).href : undefined
      return send(res, { data: it.data, links: { next } })
    }
  }
  walk((n) => ({ data: n === 3 ? listing.healthy['data'] : [], more: n < 3 }))
  assert.deepEqual((await service.ask(listing.path)).json, listing.answer)
  walk((n) => ({ data: [], more: n < 3 }))
  assert.equal((await service.ask(listing.path)).json.error.type, 'localization_not_found')
  walk((n) => ({ data: n === 1 ? listing.healthy['data'] : [], more: true }))
  assert.equal((await service.ask(listing.path)).status, 502, 'a listing without an end')
  walk((n) => (n === 1 ? { data: [], more: true } : undefined))
  const { status, text } = await service.ask(listing.path)
  assert.equal(status, 502, `a second page that is gone is no absence: ${text}`)
})
