import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const path = '/subscriptions/s1/offer-codes'
const fresh = { headers: { 'cache-control': 'no-cache' } }
const named = (name: string) => ({
  data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes: { name } }],
  links: {},
})

/** answers in turn, each when released */
async function held(t: test.TestContext, ...scripts: readonly Script[]) {
  const waiting: (() => void)[] = []
  const { platform, service, close } = await startScripted(
    (call, res) => {
      const script = scripts[waiting.length]
      waiting.push(() => void script?.(call, res))
    },
    { file: { cacheSeconds: 60 } },
  )
  t.after(close)
  const called = async (count: number) => {
    while (platform.calls.length < count) await sleep(5)
  }
  return { ask: service.ask, called, answer: (at: number) => waiting[at]?.(), calls: () => platform.calls.length }
}

const says =
  (name: string): Script =>
  (_, res) =>
    send(res, named(name))

test('a read that began before a resource was found gone does not cache it again', { timeout: 20_000 }, async (t) => {
  const { ask, called, answer, calls } = await held(
    t,
    says('OLD'),
    (_, res) => refuse(res, 404, 'NOT_FOUND'),
    says('NEW'),
  )
  const slow = ask(path)
  await called(1)
  const later = ask(path, fresh)
  await called(2)
  answer(1)
  assert.equal((await later).status, 404)
  answer(0)
  assert.equal((await slow).status, 200)
  const after = ask(path)
  await called(3)
  answer(2)
  assert.equal((await after).json.items[0].name, 'NEW')
  assert.equal(calls(), 3)
})

test(
  'a slow read never replaces a later one, whichever Cache-Control its caller sent',
  { timeout: 20_000 },
  async (t) => {
    const { ask, called, answer, calls } = await held(t, says('OLD'), says('NEW'))
    const slow = ask(path, fresh)
    await called(1)
    const later = ask(path)
    await called(2)
    answer(1)
    assert.match(String((await later).headers['cache-status']), /stored/)
    answer(0)
    assert.doesNotMatch(String((await slow).headers['cache-status']), /stored/)
    assert.equal((await ask(path)).json.items[0].name, 'NEW')
    assert.equal(calls(), 2)
  },
)

test('the age of an answer counts from the time of the platform call', { timeout: 20_000 }, async (t) => {
  const { ask, called, answer } = await held(t, says('OLD'))
  const slow = ask(path)
  await called(1)
  await sleep(1_100)
  answer(0)
  await slow
  assert.ok(Number((await ask(path)).headers['age']) >= 1)
})
