// Paging, cursors, filters and order of listings.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Caller, type Reply, type Resource, withSandbox } from './sandbox-client.ts'

async function walk(get: Caller['get'], first: string): Promise<Resource[]> {
  const rows: Resource[] = []
  for (let next: string | undefined = first; next !== undefined;) {
    const { status, body }: Reply<Resource[]> = await get(next)
    assert.equal(status, 200)
    rows.push(...body.data)
    next = body.links.next
  }
  return rows
}

const feedback = '/v1/apps/6446998001/betaFeedbackScreenshotSubmissions'
const prices = '/v1/winBackOffers/6742001014/prices'

test('following the next links returns every row once', async () => {
  await withSandbox(async ({ get }) => {
    for (const [path, total] of [
      [`${feedback}?limit=5&sort=-createdDate`, 64],
      [`${prices}?limit=1`, 48],
      ['/v1/apps/6446998001/relationships/inAppPurchasesV2?limit=4', 27],
      ['/v1/appInfos/0b5c7d12-6e3f-4a80-9c41-0c0000000012/territoryAgeRatings', 175],
    ] as const) {
      const rows = await walk(get, path)
      assert.equal(rows.length, total)
      assert.equal(new Set(rows.map((each) => each.id)).size, total)
    }
  })
})

test('a page holds 50 rows by default, and has a next link only if there is a next page', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    const first = await get(feedback)
    assert.deepEqual(first.body.meta.paging, { total: 64, limit: 50 })
    assert.equal(first.body.links.first, undefined)
    const second = await get(first.body.links.next ?? '')
    assert.equal(second.body.data.length, 14)
    assert.equal(second.body.links.next, undefined)
    assert.equal(second.body.links.first, `${sandbox.url}${feedback}`)
  })
})

test('the next link repeats the query encoded and adds a cursor of two short parts', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    const { body } = await get(`${prices}?filter[territory]=USA,CAN&limit=1`)
    const [address = '', cursor = ''] = body.links.next?.split('&cursor=') ?? []
    assert.equal(address, `${sandbox.url}${prices}?filter%5Bterritory%5D=USA%2CCAN&limit=1`)
    assert.match(cursor, /^AQ\.[\w-]{7}$/)
  })
})

test('a cursor of another list is rejected', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get(`${prices}?limit=1`)
    const cursor = new URL(body.links.next ?? '').searchParams.get('cursor')
    assert.equal((await get(`${prices}?limit=2&cursor=${cursor}`)).status, 200)
    assert.equal((await get(`${feedback}?limit=1&cursor=${cursor}`)).status, 400)
    assert.equal((await get(`${prices}?limit=1&filter[territory]=USA&cursor=${cursor}`)).status, 400)
  })
})

test('a filter keeps the rows that match any of its values', async () => {
  await withSandbox(async ({ get }) => {
    const byName = await get('/v1/apps?filter[name]=Tidal%20Charts,Drift+Radio')
    assert.deepEqual(
      byName.body.data.map((each) => each.id),
      ['6446998001', '6446998013'],
    )
    const vision = await get('/v1/apps?filter[appStoreVersions.platform]=VISION_OS')
    assert.equal(vision.body.data.length, 3)
    const byId = await get('/v1/apps?filter[id]=6446998024,6446998002&filter[sku]=NL-2026-002')
    assert.deepEqual(
      byId.body.data.map((each) => each.id),
      ['6446998002'],
    )
    const games = await get('/v1/apps?exists[gameCenterEnabledVersions]=true')
    assert.equal(games.body.data.length, 2)
    const territory = await get('/v1/subscriptions/6746005009/offerCodes?filter[territory]=FRA')
    assert.equal(territory.body.data.length, 2)
  })
})

test('a filter follows relationships that the row itself does not show', async () => {
  await withSandbox(async ({ get }) => {
    const { body } = await get(`${feedback}?include=build,tester&fields[builds]=version,preReleaseVersion&limit=200`)
    const build = body.data[0]?.relationships['build']?.data as { id: string }
    const byBuild = await get(`${feedback}?filter[build]=${build.id}&include=build`)
    assert.equal(byBuild.body.data.length, 16)
    const none = await get(`${feedback}?filter[build.preReleaseVersion]=unknown`)
    assert.deepEqual(none.body.data, [])
    assert.deepEqual(none.body.meta.paging, { total: 0, limit: 50 })
  })
})

test('sorting obeys each key in turn and the minus sign', async () => {
  await withSandbox(async ({ get }) => {
    const dates = async (sort: string) => {
      const { body } = await get(`${feedback}?sort=${sort}&limit=200`)
      return body.data.map((each) => Date.parse(String(each.attributes['createdDate'])))
    }
    const ascending = await dates('createdDate')
    assert.deepEqual(
      ascending,
      ascending.toSorted((left, right) => left - right),
    )
    assert.deepEqual(await dates('-createdDate'), ascending.toReversed())
    const names = await get('/v1/apps?sort=-name,sku&fields[apps]=name')
    assert.equal(names.body.data[0]?.attributes['name'], '月の暦')
  })
})

test('placements sort by a position that they do not show', async () => {
  await withSandbox(async ({ get }) => {
    const path = '/v1/appAssetLibraryVideos/10877402008/placements'
    const up = await get(`${path}?sort=placementGroupPosition,createdDate`)
    const plain = await get(path)
    assert.notDeepEqual(
      up.body.data.map((each) => each.id),
      plain.body.data.map((each) => each.id),
    )
    assert.ok(!up.text.includes('placementGroupPosition":'))
  })
})

test('some feedback is new when the sandbox starts and some is weeks old, with none in between', async () => {
  const now = Date.now()
  await withSandbox(
    async ({ get }) => {
      const hoursOld = async (app: string) => {
        const { body } = await get(`/v1/apps/${app}/betaFeedbackScreenshotSubmissions?sort=-createdDate&limit=200`)
        const ages = body.data.map(
          ({ attributes }) => (now - Date.parse(String(attributes['createdDate']))) / 3_600_000,
        )
        return ages.filter((hours) => hours < 24 * 30).map(Math.floor)
      }
      assert.deepEqual(await hoursOld('6446998004'), [0, 0])
      assert.deepEqual(await hoursOld('6446998011'), [0, 504])
      assert.deepEqual(await hoursOld('6446998017'), [0])
      assert.deepEqual(await hoursOld('6446998020'), [360])
    },
    { now: () => now },
  )
})
