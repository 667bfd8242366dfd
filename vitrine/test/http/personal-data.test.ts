// Keys without the grant `personal`: what they get, what the platform is asked for them, and what they share with others.
import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { personalFields, withoutPersonal } from '../../src/catalogue/personal.ts'
import { until } from '../../../base/test/until.ts'
import { agentOverHttp } from '../agents/scene.ts'
import { startCaching } from '../support/caching-service.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { startOverSandbox, startScripted } from '../support/service.ts'

const marked = routes.filter((route) => withoutPersonal(route) !== route)
const feedback = '/apps/6446998001/beta-feedback-screenshot-submissions'
const nomination = '/featuring-nominations/n1'
const canary = 'canary@example.com'

/** a nomination with its actor, whatever is asked */
const nominated: Script = (_, res) =>
  send(res, {
    data: {
      type: 'nominations',
      id: 'n1',
      attributes: { name: 'Spring' },
      relationships: { createdByActor: { data: { type: 'actors', id: 'actor-of-canary' } } },
    },
  })

/** a submission with everything, whatever is asked */
const submitted: Script = (call, res) =>
  send(res, {
    data: [
      {
        type: 'betaFeedbackScreenshotSubmissions',
        id: 'f1',
        attributes: { osVersion: '26.1', email: canary, comment: canary, screenshots: [{ url: canary }] },
        relationships: { tester: { data: { type: 'betaTesters', id: canary } } },
      },
    ],
    links: call.url.includes('cursor') ? {} : { next: `${call.url}&cursor=two` },
  })

const code = ({ status, json }: { status: number; json: any }) => `${status} ${json?.error?.code ?? 'ok'}`

test('an answer without the grant is the whole one less what is marked, and the platform is not asked for that', async (t) => {
  const { service, sandbox, close } = await startOverSandbox({ connection: { linkage: 'asked' } })
  t.after(close)
  const key = await service.issue({ personal: false })
  assert.equal(marked.length, 6)
  for (const route of marked) {
    const [target = ''] = route.example.split('?', 1)
    const whole = await service.ask(target)
    const before = sandbox.asked.length
    const { status, json } = await service.ask(target, { key })
    assert.equal(status, 200, route.operation)
    const names = personalFields(route)
    const rest = (item: object) => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
    const expected = whole.json.items ? { items: whole.json.items.map(rest), nextCursor: null } : rest(whole.json)
    assert.deepEqual({ ...json, ...(json.items && { nextCursor: null }) }, expected, route.operation)
    assert.notDeepEqual(rest(whole.json.items?.[0] ?? whole.json), whole.json.items?.[0] ?? whole.json)
    for (const { url } of sandbox.asked.slice(before))
      for (const name of names) assert.ok(!decodeURIComponent(url).includes(name.replace(/Id$/, '')), `${name}: ${url}`)
  }
})

test('what the platform sends unasked is left out, and is not reported as unknown', async (t) => {
  const { service, close } = await startScripted(submitted)
  t.after(close)
  const { text, json } = await service.ask(feedback, { key: await service.issue({ personal: false }) })
  assert.deepEqual(json.items, [{ id: 'f1', osVersion: '26.1', appId: '6446998001' }])
  assert.ok(!text.includes(canary))
  assert.ok(!service.events.some(({ kind }) => kind === 'drift'))
})

test('to select or filter by personal data is 403 with the grant that lacks, after all that is wrong for every key', async (t) => {
  const { platform, service, close } = await startScripted(submitted)
  t.after(close)
  const key = await service.issue({ personal: false })
  for (const [query, param] of [
    ['fields=osVersion,email', 'fields'],
    ['fields=comment', 'fields'],
    ['tester=t1', 'tester'],
    ['tester=t1&cursor=abc', 'tester'],
  ]) {
    const answer = await service.ask(`${feedback}?${query}`, { key })
    assert.equal(code(answer), '403 personal_not_granted', query)
    const { type, details, message } = answer.json.error
    assert.deepEqual([type, answer.json.error.param, details], ['forbidden', param, { grant: 'personal' }])
    assert.match(message, /"personal"/)
  }
  assert.equal(code(await service.ask(`${feedback}?fields=emial`, { key })), '400 value_not_allowed')
  assert.equal(code(await service.ask(`${feedback}?tester=`, { key })), '400 empty_parameter')
  assert.equal(code(await service.ask(`${feedback}?cursor=abc`, { key })), '400 cursor_invalid')
  assert.equal(platform.calls.length, 0)
  assert.equal(code(await service.ask(`${feedback}?fields=osVersion&sort=createdDate`, { key })), '200 ok')
  assert.equal(code(await service.ask(`${feedback}?fields=email&tester=t1`)), '200 ok')
})

test('a cursor that another key got continues the list, without personal data', async (t) => {
  const { service, close } = await startScripted(submitted)
  t.after(close)
  const key = await service.issue({ personal: false })
  const { nextCursor } = (await service.ask(`${feedback}?tester=t1`)).json
  assert.equal(code(await service.ask(`${feedback}?cursor=${nextCursor}`, { key })), '400 cursor_mismatch')
  assert.equal(
    code(await service.ask(`${feedback}?tester=t1&cursor=${nextCursor}`, { key })),
    '403 personal_not_granted',
  )
  const open = (await service.ask(feedback)).json.nextCursor
  const second = await service.ask(`${feedback}?cursor=${open}`, { key })
  assert.deepEqual([second.status, second.text.includes(canary)], [200, false])
})

for (const first of ['with', 'without'])
  test(`cached answers are not shared between the two, if the key ${first} the grant reads first`, async (t) => {
    const { platform, service, ask, calls } = await startCaching(t)
    platform.script = nominated
    const keys = { with: service.key, without: await service.issue({ personal: false }) }
    const order = first === 'with' ? [keys.with, keys.without] : [keys.without, keys.with]
    const answers = new Map<string | undefined, string>()
    for (const key of [...order, ...order]) {
      const { text, headers } = await ask(nomination, { key })
      assert.equal(text.includes('canary'), key === keys.with)
      answers.set(key, String(headers['etag']))
    }
    assert.equal(calls(), 2)
    assert.equal(new Set(answers.values()).size, 2)
    const tried = { 'if-none-match': answers.get(keys.with) ?? '' }
    assert.equal(
      (await ask(nomination, { key: keys.without, headers: tried })).status,
      200,
      'it is not told whether it is still so',
    )
    assert.equal((await ask(nomination, { key: keys.with, headers: tried })).status, 304)
  })

test('equal reads under way are shared among keys with the same grant alone', async (t) => {
  const waiting: (() => void)[] = []
  const { platform, service, close } = await startScripted(
    (call, res) => void waiting.push(() => void nominated(call, res)),
    { file: { upstream: { timeoutMs: 30_000 } } },
  )
  t.after(close)
  const [one, other] = [await service.issue({ personal: false }), await service.issue({ personal: false })]
  const asked = [service.key, one, service.key, other].map((key) => service.ask(nomination, { key }))
  const shared = () => service.events.filter(({ kind }) => kind === 'shared').length
  await until(() => platform.calls.length === 2 && shared() === 2)
  for (const answer of waiting.splice(0)) answer()
  const texts = (await Promise.all(asked)).map(({ text }) => text.includes('canary'))
  assert.deepEqual(texts, [true, false, true, false])
  assert.equal(platform.calls.length, 2)
})

test('an agent is told which fields its key lacks, and gets the same refusal', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const { call } = await agentOverHttp(t, { url: service.url, key: await service.issue({ personal: false }) })
  const operation = 'listBetaFeedbackSubmissions'
  const { said } = await call('describe_operation', { operation })
  const names = said.fields.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('osVersion') && !names.includes('email') && !names.includes('testerId'))
  assert.ok(said.parameters.every(({ name }: { name: string }) => name !== 'tester'))
  assert.deepEqual(said.withheld, {
    fields: ['comment', 'email', 'timeZone', 'screenshots', 'testerId'],
    grant: 'personal',
  })
  const params = { appId: '6446998001', fields: ['email'] }
  const refused = await call('read', { operation, connection: 'acme', params })
  assert.equal(refused.said.error.code, 'personal_not_granted')
  assert.equal(sandbox.asked.length, 0)
  const read = await call('read_all', { operation, connection: 'acme', params: { appId: '6446998001' } })
  assert.ok(read.said.rows.length > 0)
  assert.ok(!/@example|testerId|comment/.test(JSON.stringify(read.said.rows)))
})
