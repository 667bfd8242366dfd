import assert from 'node:assert/strict'
import test from 'node:test'
import { contents, one, resource, stamp, text, to } from '../../src/catalogue/define.ts'
import { definitions } from '../../src/catalogue/index.ts'
import { rowOf } from '../../src/commands/routes.ts'
import { describe } from '../../src/derive/openapi.ts'
import { send } from '../ground/scripted-platform.ts'
import { startScripted } from '../ground/service.ts'

const getBuild = one({
  path: '/builds/{buildId}',
  group: 'builds',
  summary: 'Read a build',
  from: { read: '/v1/builds/{buildId}' },
  returns: resource({
    name: 'Build',
    type: 'builds',
    attributes: { version: text('Build number.') },
    links: { iconId: to('icon', 'buildIcons', 'name', 'Icon.') },
  }),
  reviewed: stamp('4.5.1', '2026-11-20'),
  example: '/builds/7',
})

test('a thirtieth route is one definition: answered, validated, described and listed without another change', async (t) => {
  const routes = contents({ ...definitions, getBuild })
  const { service, platform, close } = await startScripted(
    (call, res) =>
      send(res, {
        data: {
          type: 'builds',
          id: decodeURIComponent(call.path.split('/').at(-1) ?? ''),
          attributes: { version: '42', secret: 'x' },
          relationships: { icon: { data: { type: 'buildIcons', id: 'i1' } } },
        },
      }),
    { routes },
  )
  t.after(close)

  const { status, json } = await service.ask('/builds/7')
  assert.equal(status, 200)
  assert.deepEqual(json, { id: '7', version: '42', iconId: 'i1' })
  assert.equal(platform.calls[0]?.query.get('fields[builds]'), 'version,icon')

  const refused = await service.ask('/builds/7?feilds=version')
  assert.equal(refused.status, 400)
  assert.equal(refused.json.error.details.nearest, 'fields')
  assert.equal((await service.ask('/builds/7', { key: await service.issue({ groups: ['apps'] }) })).status, 403)

  const operation = (describe(routes, {})['paths'] as any)['/v1/connections/{connectionId}/builds/{buildId}'].get
  assert.equal(operation.operationId, 'getBuild')
  assert.equal(
    (await service.ask('/openapi.json')).json.paths['/v1/connections/{connectionId}/builds/{buildId}'].get.summary,
    'Read a build',
  )
  assert.deepEqual(rowOf(routes[29]!), {
    number: 30,
    operation: 'getBuild',
    group: 'builds',
    path: '/builds/{buildId}',
    reviewed: '4.5.1 2026-11-20',
    endpoint: '/v1/builds/{buildId}',
  })
})
