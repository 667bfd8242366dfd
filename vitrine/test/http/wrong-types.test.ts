import assert from 'node:assert/strict'
import test from 'node:test'
import { bare, answerRead, type ExampleRoute, single } from '../support/example-routes.ts'
import { startScripted } from '../support/service.ts'

test('an attribute of the wrong JSON type is 502, also inside a list', async (t) => {
  const { platform, service, close } = await startScripted(() => {})
  t.after(close)
  const nomination: ExampleRoute = {
    ...single,
    path: '/featuring-nominations/n1',
    read: '/v1/nominations/n1',
    healthy: { data: { type: 'nominations', id: 'n1' } },
  }
  const wrong = [
    [single, { archived: 'false' }],
    [single, { archived: 0 }],
    [single, { usedBytes: '12' }],
    [single, { usedBytes: 1.5 }],
    [single, { usedBytes: {} }],
    [single, { assetPackIdentifier: 5 }],
    [single, { assetPackIdentifier: ['x'] }],
    [nomination, { locales: 'en-US' }],
    [nomination, { locales: {} }],
    [nomination, { locales: ['en-US', 5] }],
    [nomination, { deviceFamilies: [{}] }],
  ] as const
  for (const [place, attributes] of wrong)
    await t.test(JSON.stringify(attributes), async () => {
      platform.script = answerRead(place, { ...place.healthy, data: { ...place.healthy['data'], attributes } })
      const { status, text } = await service.ask(place.path)
      assert.equal(status, 502, text)
    })
  for (const value of [
    { version: 5 },
    { categories: {} },
    { insights: [] },
    { signatures: null, data: {}, version: 1e3 },
  ])
    await t.test(`${JSON.stringify(value)} in the bare document`, async () => {
      platform.script = answerRead(bare, { ...bare.healthy, ...value })
      assert.equal((await service.ask(bare.path)).status, 502)
    })
})
