// The performance overview: the one document outside JSON:API, with a media type of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { withSandbox } from './sandbox-client.ts'

const overview = { accept: 'application/vnd.apple.xcode-overview+json' }

test('the performance overview is a bare document of its own media type', async () => {
  await withSandbox(async ({ get }) => {
    const rich = await get('/v1/apps/6446998001/performanceOverviews', overview)
    assert.equal(rich.headers.get('content-type'), 'application/vnd.apple.xcode-overview+json')
    assert.deepEqual(Object.keys(rich.body), [
      'version',
      'appMetadata',
      'insights',
      'categories',
      'signatures',
      'telemetryIdentifier',
    ])
    const empty: unknown = (await get('/v1/apps/6446998002/performanceOverviews', overview)).body
    const { appMetadata, categories } = empty as { appMetadata: object; categories: unknown[] }
    assert.deepEqual(appMetadata, {
      bundleId: 'com.example.northlight.paper-lantern',
      appId: '6446998002',
      platform: 'iOS',
    })
    assert.deepEqual(categories, [])
  })
})

test('the overview narrows to device types whose names hold commas', async () => {
  await withSandbox(async ({ get }) => {
    const path = '/v1/apps/6446998001/performanceOverviews?filter%5BdeviceType%5D=iPhone15%2C2'
    const { text } = await get(path, overview)
    assert.ok(text.includes('"device":"iPhone15,2"'))
    assert.ok(!text.includes('"device":"iPhone17,1"'))
  })
})

test('the overview rejects other media types in plain text', async () => {
  await withSandbox(async ({ get }) => {
    const { status, headers } = await get('/v1/apps/6446998001/performanceOverviews', { accept: 'application/json' })
    assert.equal(status, 406)
    assert.equal(headers.get('content-type'), 'text/plain')
  })
})
