import assert from 'node:assert/strict'
import test from 'node:test'
import { bare, listing, over, page, single } from '../ground/places.ts'
import { startScripted } from '../ground/service.ts'

/** a background asset in the platform's words, its parts written as JSON text */
const asset = (attributes: string, more = '') =>
  `{"data":{"type":"backgroundAssets","id":"b1","attributes":${attributes}${more}},"links":{}}`

const scripted = async (t: test.TestContext) => {
  const { platform, service, close } = await startScripted(() => {})
  t.after(close)
  return {
    service,
    /** the text that the caller gets when the platform sends this one */
    async through(text: string | Buffer): Promise<string> {
      platform.script = over(single, text)
      const answer = await service.ask(single.path)
      assert.equal(answer.status, 200, answer.text)
      return answer.text
    },
    async ask(place: typeof page, body: unknown, query = '') {
      platform.script = over(place, body)
      return service.ask(place.path + query)
    },
  }
}

test('integers beyond 2^53 keep their digits', async (t) => {
  const { through } = await scripted(t)
  for (const digits of [
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '123456789012345678901234567890',
  ])
    assert.equal(await through(asset(`{"usedBytes":${digits}}`)), `{"id":"b1","usedBytes":${digits}}`)
})

test('long decimals and numbers in nested objects keep their digits', async (t) => {
  const { ask } = await scripted(t)
  const metadata = '{"a":0.1234567890123456789,"b":[9007199254740993,{"c":1e-400}],"d":123456789012345.75}'
  const { status, text } = await ask(bare, `{"version":"1","appMetadata":${metadata}}`)
  assert.equal(status, 200)
  assert.equal(text, `{"id":"a1","version":"1","appMetadata":${metadata}}`)
})

test('minus nought, 1.0 and 1E5 are the integers they mean, whatever other numbers stand beside them', async (t) => {
  const { through } = await scripted(t)
  for (const [sent, meant] of [
    ['-0', 0],
    ['1.0', 1],
    ['1E5', 100_000],
    ['12e2', 1_200],
  ] as const)
    for (const beside of ['{}', '{"big":9007199254740993}'])
      await t.test(`${sent} beside ${beside}`, async () => {
        const text = await through(asset(`{"usedBytes":${sent},"other":${beside}}`))
        assert.ok(JSON.parse(text).usedBytes === meant, text)
      })
})

test('of two members of one name the last counts, whole', async (t) => {
  const { through } = await scripted(t)
  const twice = asset('{"archived":true,"usedBytes":5}', ',"attributes":{"archived":false},"id":"b9","id":"b1"')
  assert.equal(await through(twice), '{"id":"b1","archived":false}')
})

test('__proto__ and constructor are members like any unknown one, and change nothing', async (t) => {
  const { through, ask } = await scripted(t)
  const evil = '{"archived":true,"isAdmin":true,"toString":null}'
  const own = `{"archived":false,"__proto__":${evil},"constructor":{"prototype":${evil}}}`
  const more = `,"__proto__":${evil},"relationships":{"__proto__":{"app":{"data":{"type":"apps","id":"a1"}}}}`
  assert.equal(await through(asset(own, more)), '{"id":"b1","archived":false}')
  assert.equal(await through(`{"__proto__":{"errors":[]},${asset('{}').slice(1)}`), '{"id":"b1"}')
  const inList = await ask(page, page.healthy['data'] && `{"links":{"__proto__":{"next":"x"}},"data":[]}`)
  assert.deepEqual(inList.json, { items: [], nextCursor: null })
  const { text } = await ask(bare, `{"version":"1","__proto__":${evil}}`)
  assert.equal(text, '{"id":"a1","version":"1"}')
  assert.deepEqual(Object.getOwnPropertyNames({}), [])
  assert.equal(Reflect.get({}, 'isAdmin'), undefined)
})

test('an attribute named after something of ours does not take its place', async (t) => {
  const { through } = await scripted(t)
  const names = [
    'id',
    'type',
    'items',
    'error',
    'nextCursor',
    'toString',
    'then',
    'toJSON',
    'rawJSON',
    'hasOwnProperty',
  ]
  const attributes = Object.fromEntries(names.map((name) => [name, 'x']))
  assert.equal(await through(asset(JSON.stringify({ ...attributes, archived: true }))), '{"id":"b1","archived":true}')
})

test('lone surrogates, NUL and line separators stay valid JSON and valid UTF-8', async (t) => {
  const { through } = await scripted(t)
  for (const written of [
    String.raw`\ud800`,
    String.raw`x\udfffy`,
    String.raw`\u0000`,
    '\u2028\u2029',
    '\u{1f600}',
    String.raw`\"\\`,
  ]) {
    const text = await through(asset(`{"assetPackIdentifier":"${written}"}`))
    assert.ok(!text.includes('\ufffd'), text)
    assert.equal(JSON.parse(text).assetPackIdentifier, JSON.parse(`"${written}"`))
  }
})

test('a byte order mark in front of the document is skipped', async (t) => {
  const { through } = await scripted(t)
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  assert.equal(await through(Buffer.concat([mark, Buffer.from(asset('{"usedBytes":1}'))])), '{"id":"b1","usedBytes":1}')
})

test('nesting down to 64 levels is a document', async (t) => {
  const { through } = await scripted(t)
  // three levels of the document stand around it
  assert.equal(await through(asset(`{"deep":${'['.repeat(61)}${']'.repeat(61)}}`)), '{"id":"b1"}')
})

test('200,000 keys in one object are answered soon', async (t) => {
  const { through } = await scripted(t)
  const keys = Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',')
  const before = performance.now()
  assert.equal(await through(asset(`{${keys},"archived":true}`)), '{"id":"b1","archived":true}')
  assert.ok(performance.now() - before < 1_500, `${performance.now() - before} ms`)
})

test('missing or null attributes and relationships leave the id alone', async (t) => {
  const { through } = await scripted(t)
  for (const rest of ['', ',"attributes":null', ',"relationships":null', ',"attributes":{},"relationships":{}'])
    assert.equal(await through(`{"data":{"type":"backgroundAssets","id":"b1"${rest}}}`), '{"id":"b1"}')
})

test('an unknown value is passed on, an unknown attribute is left out and told to the observer', async (t) => {
  const { ask, service } = await scripted(t)
  const attributes = { offerMode: 'PAY_WITH_SHELLS', internalSecret: 's3cret' }
  const { json } = await ask(page, { data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes }], links: {} })
  assert.deepEqual(json.items, [{ id: 'o1', offerMode: 'PAY_WITH_SHELLS' }])
  const [drift] = service.events.filter((event) => event.kind === 'drift')
  assert.deepEqual(drift, { kind: 'drift', type: 'subscriptionOfferCodes', members: ['internalSecret'] })
  assert.ok(!JSON.stringify(service.events).includes('s3cret'))
})

test('a linkage is null where the platform says null, and absent where it sends links alone', async (t) => {
  const { through } = await scripted(t)
  const relationships = `,"relationships":{"app":{"data":null},"internalBetaVersion":{"links":{"related":"https://x"}}}`
  assert.equal(await through(asset('{}', relationships)), '{"id":"b1","appId":null}')
})

test('an id that comes twice in a page is given once, and counted', async (t) => {
  const { ask, service } = await scripted(t)
  const one = page.healthy['data'][0]
  assert.deepEqual((await ask(page, { data: [one, one], links: {} })).json, page.answer)
  assert.ok(service.events.some((event) => event.kind === 'duplicate' && event.count === 1))
})

test('one locale twice is ambiguous, another case of it is an absence', async (t) => {
  const { ask } = await scripted(t)
  const named = (id: string, locale: string) => ({ type: 'appEventLocalizations', id, attributes: { locale } })
  const twice = await ask(listing, { data: [named('l1', 'en-US'), named('l2', 'en-US')], links: {} })
  assert.deepEqual([twice.status, twice.json.error.type], [409, 'ambiguous_selection'])
  const cased = await ask(listing, { data: [named('l1', 'en-us'), named('l2', 'en')], links: {} })
  assert.deepEqual([cased.status, cased.json.error.type], [404, 'localization_not_found'])
})
