// How wrong requests are refused: status, code, parameter. Tokens and injected faults have their own files.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { signToken, withSandbox } from './sandbox-client.ts'

// target, status, code, parameter
const refusals: [string, number, string, string | undefined][] = [
  ['/v1/nothing', 404, 'PATH_ERROR', undefined],
  ['/v1/apps/', 404, 'PATH_ERROR', undefined],
  ['/v2/apps', 404, 'PATH_ERROR', undefined],
  ['/v1/apps/6446998001/cats', 404, 'PATH_ERROR', undefined],
  ['/v1/apps/1/relationships/appInfos', 404, 'NOT_FOUND', undefined],
  ['/v1/apps?limit=0', 400, 'PARAMETER_ERROR.INVALID', 'limit'],
  ['/v1/apps?limit=201', 400, 'PARAMETER_ERROR.INVALID', 'limit'],
  ['/v1/apps?limit=ten', 400, 'PARAMETER_ERROR.INVALID', 'limit'],
  ['/v1/apps?limit=1&limit=2', 400, 'PARAMETER_ERROR.INVALID', 'limit'],
  ['/v1/apps?colour=red', 400, 'PARAMETER_ERROR.INVALID', 'colour'],
  ['/v1/apps?filter[emaill]=a', 400, 'PARAMETER_ERROR.INVALID', 'filter[emaill]'],
  ['/v1/apps?filter[locale]=ja', 400, 'PARAMETER_ERROR.ILLEGAL', 'filter[locale]'],
  ['/v1/apps/6446998001/relationships/appInfos?sort=name', 400, 'PARAMETER_ERROR.ILLEGAL', 'sort'],
  ['/v1/apps?sort=colour', 400, 'PARAMETER_ERROR.INVALID', 'sort'],
  ['/v1/apps?fields[apps]=name,kidsAgeBand', 400, 'PARAMETER_ERROR.INVALID', 'fields[apps]'],
  ['/v1/apps?include=owner', 400, 'PARAMETER_ERROR.INVALID', 'include'],
  [
    '/v1/apps?filter[appStoreVersions.platform]=WATCH_OS',
    400,
    'PARAMETER_ERROR.INVALID',
    'filter[appStoreVersions.platform]',
  ],
  ['/v1/apps?limit[builds]=51', 400, 'PARAMETER_ERROR.INVALID', 'limit[builds]'],
  ['/v1/apps?exists[gameCenterEnabledVersions]=1', 400, 'PARAMETER_ERROR.INVALID', 'exists[gameCenterEnabledVersions]'],
  ['/v1/apps?cursor=Mg.AKwzESA', 400, 'PARAMETER_ERROR.INVALID', 'cursor'],
  ['/v1/apps?filter[name]=%E0%A4', 400, 'PARAMETER_ERROR.INVALID', '%E0%A4'],
]

test('a wrong request gets the status, code and parameter of its fault', async () => {
  await withSandbox(async ({ get }) => {
    for (const [target, status, code, parameter] of refusals) {
      const reply = await get(target)
      const [error] = reply.body.errors
      assert.deepEqual(
        [reply.status, error?.status, error?.code, error?.source?.parameter],
        [status, String(status), code, parameter],
        target,
      )
      assert.ok(error?.title && error.detail && error.id, target)
    }
  })
})

test('the error for a missing resource names its type', async () => {
  await withSandbox(async ({ get }) => {
    const single = await get('/v1/nominations/unknown')
    assert.equal(single.body.errors[0]?.detail, "There is no resource of type 'nominations' with id 'unknown'")
    const parent = await get('/v1/subscriptions/unknown/promotedPurchase')
    assert.equal(parent.body.errors[0]?.detail, "There is no resource of type 'subscriptions' with id 'unknown'")
  })
})

test('only GET is allowed', async () => {
  await withSandbox(async ({ sandbox }) => {
    const headers = { authorization: `Bearer ${signToken()}` }
    const reply = await fetch(`${sandbox.url}/v1/apps`, { method: 'POST', headers, body: '{}' })
    assert.equal(reply.status, 405)
    assert.match(await reply.text(), /METHOD_NOT_ALLOWED/)
  })
})

test('an address longer than 4096 bytes is an unexpected error without an id', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    const head = '/v1/apps?filter[sku]='
    const room = 4096 - sandbox.url.length - head.length
    assert.equal((await get(head + 'a'.repeat(room))).status, 200)
    const { status, body } = await get(`${head}${'a'.repeat(room + 1)}`)
    assert.deepEqual([status, body.errors[0]?.code, body.errors[0]?.id], [500, 'UNEXPECTED_ERROR', undefined])
  })
})

test('a port that is taken rejects with the original error', async () => {
  await withSandbox(async ({ sandbox }) => {
    const port = Number(new URL(sandbox.url).port)
    await assert.rejects(
      withSandbox(async () => {}, { port }),
      { code: 'EADDRINUSE' },
    )
  })
})
