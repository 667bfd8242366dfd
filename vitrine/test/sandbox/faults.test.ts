// Injected faults: how rules are parsed, when they apply, what each kind does.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readFaultRule } from '../../src/sandbox/sandbox.ts'
import { withSandbox } from './sandbox-client.ts'

const rules = (...texts: string[]) => texts.map(readFaultRule)

test('a fault rule is read from one short text', () => {
  assert.deepEqual(readFaultRule('latency=300'), { kind: 'latency', value: 300 })
  assert.deepEqual(readFaultRule('429=30:10@/v1/apps'), { kind: '429', value: 30, every: 10, path: '/v1/apps' })
  assert.deepEqual(readFaultRule('502-html:every 2'), { kind: '502-html', every: 2 })
  assert.deepEqual(readFaultRule('clock=-60'), { kind: 'clock', value: -60 })
  assert.deepEqual(readFaultRule('malformed'), { kind: 'malformed' })
})

test('an invalid fault rule is rejected with its fix', () => {
  assert.throws(() => readFaultRule('flood'), /KIND\[=VALUE\].*latency, hang/)
  assert.throws(() => readFaultRule('latency'), /latency=300/)
  assert.throws(() => readFaultRule('500=3'), /write "500"/)
  assert.throws(() => readFaultRule('401:0'), /from 1/)
  assert.throws(() => readFaultRule('clock'), /clock=-3600/)
  assert.throws(() => readFaultRule('quota=-1'), /below 0/)
})

// rule, status, expected part of the text
const answers: [string, number, RegExp][] = [
  ['401', 401, /NOT_AUTHORIZED/],
  ['403', 403, /FORBIDDEN_ERROR/],
  ['agreement', 403, /REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED.*"see":"\/business"/],
  ['404', 404, /NOT_FOUND/],
  ['429', 429, /RATE_LIMIT_EXCEEDED/],
  ['500', 500, /UNEXPECTED_ERROR/],
  ['502-html', 502, /<title>Bad Gateway/],
  ['503', 503, /SERVICE_UNAVAILABLE/],
  ['html', 200, /<!DOCTYPE html>/],
]

test('each fault that answers has its status and body', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    for (const [rule, status, text] of answers) {
      sandbox.setFaults(rules(rule))
      const reply = await get('/v1/apps')
      assert.equal(reply.status, status, rule)
      assert.match(reply.text, text, rule)
    }
    sandbox.setFaults([])
    assert.equal((await get('/v1/apps')).status, 200)
  })
})

test('malformed JSON arrives whole but cannot be parsed', async () => {
  await withSandbox(
    async ({ get }) => {
      await assert.rejects(get('/v1/apps'), SyntaxError)
    },
    { faults: rules('malformed') },
  )
})

test('a dropped and a torn connection fail the call', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    for (const rule of ['drop', 'torn']) {
      sandbox.setFaults(rules(rule))
      await assert.rejects(get('/v1/apps'), TypeError, rule)
    }
  })
})

test('a hanging answer never comes, and closing does not wait for it', async () => {
  await withSandbox(
    async ({ sandbox }) => {
      await assert.rejects(fetch(`${sandbox.url}/v1/apps`, { signal: AbortSignal.timeout(60) }), {
        name: 'TimeoutError',
      })
    },
    { faults: rules('hang') },
  )
})

test('latency delays the answer', async () => {
  await withSandbox(
    async ({ get }) => {
      const started = performance.now()
      assert.equal((await get('/v1/apps?limit=1')).status, 200)
      assert.ok(performance.now() - started >= 75)
    },
    { faults: rules('latency=80') },
  )
})

test('a rule applies to each nth call under its path only', async () => {
  await withSandbox(
    async ({ get, sandbox }) => {
      const statuses = []
      for (const path of ['/v1/apps', '/v1/winBackOffers/6742001014/prices', '/v1/apps', '/v1/apps', '/v1/apps']) {
        statuses.push((await get(path)).status)
      }
      assert.deepEqual(statuses, [200, 200, 429, 200, 429])
      assert.deepEqual(sandbox.asked.at(-1), { method: 'GET', url: '/v1/apps', status: 429 })
    },
    { faults: rules('429=30:2@/v1/apps') },
  )
})

test('a scripted 429 has a Retry-After', async () => {
  await withSandbox(
    async ({ get }) => {
      assert.equal((await get('/v1/apps')).headers.get('retry-after'), '30')
    },
    { faults: rules('429=30') },
  )
})

test('a clock that is ahead dates the answers, and judges tokens by its own time', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    sandbox.setFaults(rules('clock=45'))
    const near = await get('/v1/apps')
    const aheadSec = (Date.parse(near.headers.get('date') ?? '') - Date.now()) / 1_000
    assert.equal(near.status, 200)
    assert.ok(aheadSec > 40 && aheadSec < 50, String(aheadSec))
    sandbox.setFaults(rules('clock=3600'))
    assert.equal((await get('/v1/apps')).status, 401)
    sandbox.setFaults(rules('clock=-3600'))
    assert.equal((await get('/v1/apps')).status, 401)
  })
})

test('a quota that runs low is reported, and then counts on unreported', async () => {
  await withSandbox(async ({ get, sandbox }) => {
    sandbox.setFaults(rules('quota=200'))
    const low = await get('/v1/apps?limit=1')
    assert.deepEqual([low.status, low.headers.get('x-rate-limit')], [200, 'user-hour-lim:3600;user-hour-rem:200;'])
    sandbox.setFaults([])
    assert.equal((await get('/v1/apps')).headers.get('x-rate-limit'), 'user-hour-lim:3600;user-hour-rem:3598;')
  })
})
