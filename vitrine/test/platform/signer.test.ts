import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test from 'node:test'
import { decodeJwt } from 'jose'
import { Signer } from '../../src/platform/auth/signer.ts'
import { createTokens } from '../../src/platform/auth/signer.ts'
import { Problem } from '../../src/problems.ts'
import { createClock } from './read-context.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const target = '/v1/apps'
const noon = Date.UTC(2026, 10, 21, 12)

function begin(ours = noon) {
  const clock = createClock()
  const paused: number[] = []
  const skewed: number[] = []
  const now = () => ours + clock.steady() - 1_000
  const signer = new Signer({
    credential: { keyId: 'KEY', issuerId: 'us', key: privateKey },
    tokens: createTokens(now),
    now,
    steady: clock.steady,
    paused: (sec) => paused.push(sec),
    skewed: (sec) => skewed.push(sec),
  })
  const isPaused = (): boolean => {
    try {
      signer.check()
      return false
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'upstream_key_rejected')
      return true
    }
  }
  return { signer, clock, paused, skewed, isPaused }
}

const date = (ms: number) => new Date(ms).toUTCString()

test('a token that worked before is retried, and one that never worked is replaced', async () => {
  const { signer } = begin()
  const token = await signer.token(target)
  assert.notEqual(await signer.again(target, token, date(noon)), token)
  const second = await signer.token(target)
  signer.accepted(second)
  assert.equal(await signer.again(target, second, date(noon)), second)
})

test('two rejections in a row pause calls for 30 seconds, or 2 if the key worked within the minute', async () => {
  const { signer, clock, paused, isPaused } = begin()
  assert.equal(isPaused(), false)
  signer.rejected(await signer.token(target))
  assert.ok(isPaused() && signer.isRejected())
  clock.pass(29_999)
  assert.ok(isPaused())
  clock.pass(1)
  assert.ok(!isPaused() && !signer.isRejected())

  signer.accepted(await signer.token(target))
  clock.pass(59_000)
  signer.rejected(await signer.token(target))
  clock.pass(2_000)
  assert.equal(isPaused(), false)
  signer.rejected(await signer.token(target))
  clock.pass(2_000)
  assert.ok(isPaused(), 'the second time in a row it is the long one')
  assert.deepEqual(paused, [30, 2, 30])
})

test('a token that was rejected twice is not used again', async () => {
  const { signer } = begin()
  const token = await signer.token(target)
  signer.accepted(token)
  signer.rejected(token)
  assert.notEqual(await signer.token(target), token)
})

test('after a 401 tokens are dated by the platform’s clock if ours differs', async () => {
  for (const [offMs, isLearnt] of [
    [25 * 60_000, true],
    [-25 * 60_000, true],
    [21_000, true],
    [15_000, false],
    [25 * 3_600_000, false],
    [-25 * 3_600_000, false],
  ] as const) {
    const { signer, skewed } = begin()
    const token = await signer.token(target)
    signer.accepted(token)
    const { iat = 0, exp = 0 } = decodeJwt(await signer.again(target, token, date(noon + offMs)))
    const wanted = noon / 1_000 - 30 + (isLearnt ? offMs / 1_000 : 0)
    assert.ok(Math.abs(iat - wanted) <= 1, `${offMs}: ${iat - wanted}`)
    assert.equal(exp - iat, 600)
    assert.deepEqual(skewed, isLearnt ? [offMs / 1_000] : [])
  }
})

test('an invalid date is ignored', async () => {
  const { signer, skewed } = begin()
  const token = await signer.token(target)
  for (const nonsense of [
    undefined,
    '',
    '120',
    'yesterday',
    'Sat, 99 Foo 2026 00:00:00 GMT',
    date(noon).slice(5),
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Tue, 01 Jan 2099 00:00:00 GMT',
  ])
    await signer.again(target, token, nonsense)
  assert.deepEqual(skewed, [])
})
