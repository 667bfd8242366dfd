import assert from 'node:assert/strict'
import test from 'node:test'
import { type Script, send } from '../support/scripted-platform.ts'
import { page } from '../support/example-routes.ts'
import { startScripted } from '../support/service.ts'
import { until } from '../../../base/test/until.ts'

/** the call must not time out before all requests are there */
const file = { upstream: { timeoutMs: 20_000 } }

/** a platform that answers when released, with a next page and an unknown member */
async function held(t: test.TestContext) {
  const waiting: (() => void)[] = []
  const script: Script = ({ url }, res) =>
    void waiting.push(() => {
      const next = new URL(url, platform.url)
      next.searchParams.set('cursor', 'Mg.AKwzESA')
      const [resource] = page.healthy['data']
      const data = [{ ...resource, attributes: { ...resource.attributes, unheardOf: true } }]
      send(res, { data, links: { self: next.href, next: next.href } })
    })
  // with time standing still no call becomes too old to be shared
  const { platform, service, close } = await startScripted(script, { file, steady: () => 0 })
  t.after(close)
  const asked = (count: number) => until(() => waiting.length === count)
  const release = () => {
    for (const answer of waiting.splice(0)) answer()
  }
  return { platform, service, asked, release }
}

test('equal requests in progress share one answer: the same cursor, and drift is logged once', async (t) => {
  const { platform, service, asked, release } = await held(t)
  const [perMinute, count] = [1_000, 20]
  const key = await service.issue({ perMinute })
  const all = Array.from({ length: count }, () => service.ask(page.path, { key }))
  await asked(1)
  // a request is counted when it arrives, and so is each question how many are left
  let own = 0
  await until(async () => {
    const { headers } = await service.ask('/v1/whoami', { key })
    own++
    return String(headers['ratelimit']).includes(`"key";r=${perMinute - count - own};`)
  })
  release()
  const answers = await Promise.all(all)
  assert.ok(answers.every(({ status }) => status === 200))
  // a sealed cursor has a random part
  assert.equal(new Set(answers.map(({ json }) => String(json.nextCursor))).size, 1)
  assert.ok(String(answers[0]?.json.nextCursor).length > 20)
  assert.equal(service.events.filter(({ kind }) => kind === 'drift').length, 1)
  assert.equal(platform.calls.length, 1)
})

test('a request with no-cache, with another page size or made later gets its own answer', async (t) => {
  const { platform, service, asked, release } = await held(t)
  const first = service.ask(page.path)
  await asked(1)
  const others = [
    service.ask(page.path, { headers: { 'cache-control': 'no-cache' } }),
    service.ask(`${page.path}?limit=7`),
  ]
  await asked(3)
  release()
  const cursors = (await Promise.all([first, ...others])).map(({ json }) => String(json.nextCursor))
  const later = service.ask(page.path)
  await asked(1)
  release()
  assert.equal(new Set([...cursors, String((await later).json.nextCursor)]).size, 4)
  assert.equal(platform.calls.length, 4)
})
