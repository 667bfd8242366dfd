// A copy of the store and access to Redis are not enough to forge a console session: its seal also needs the operator token.
import assert from 'node:assert/strict'
import { createHash, createHmac, hash, randomBytes } from 'node:crypto'
import test, { type TestContext } from 'node:test'
import { Redis } from 'ioredis'
import { product } from '../../src/product.ts'
import { createOperatorTokens, whoOf } from '../../../base/auth/operator-token.ts'
import { createSealedMessages } from '../../../base/redis/sealed-messages.ts'
import { createSessionSeal } from '../../src/replicas/session-seal.ts'
import { askPostgres, freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../../base/test/redis.ts'
import { untilEqual } from '../../../base/test/until.ts'
import { fine } from '../operator/listener.ts'
import { startManagerOver, token } from '../operator/manager.ts'
import { codeOf, signIn } from '../operator/signed-in.ts'

const digestOf = (text: string) => createHash('sha256').update(text).digest()
const tokensOf = (fixed: string) => createOperatorTokens({ product, fixed, observe: () => {} })

/** what an attacker could try with only a digest */
const createSealing = (key: Buffer) =>
  createHmac('sha256', key).update('vitrine sealing with an operator token 1').digest()

async function startScene(t: TestContext) {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const endpoint = await startManagerOver(t, fine, { file: { store: database.url, redis: redisUrl } })
  const rows = await askPostgres(database.url, 'SELECT name, value FROM secrets')
  const secretOf = (name: string) => rows.find((row) => row['name'] === name)?.['value'] as Buffer
  const hand = new Redis(redisUrl)
  t.after(() => hand.disconnect())
  const prefix = `vitrine:${secretOf('installation').toString('hex').slice(0, 16)}:session:`
  const codeWith = async (secret: string) =>
    codeOf(
      await endpoint.ask('GET', '/operator/v1/session', {
        token: null,
        headers: { cookie: `vitrine_session_${endpoint.port}=${secret}` },
      }),
    )
  /** a forged session, stored under the hash of a known secret */
  async function plant(seal: (name: string, plain: Buffer) => Buffer, digest: Buffer): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    const [name, now] = [hash('sha256', secret), Date.now()]
    const times = { startedAt: now - 1_000, endsAt: now + 3_600_000 }
    const plain = { who: whoOf(digest), csrf: 'x', ...times, digest: digest.toString('base64url') }
    const value = `${times.endsAt}.${seal(name, Buffer.from(JSON.stringify(plain))).toString('base64url')}`
    await hand.set(`${prefix}${name}`, value, 'PX', 600_000)
    return secret
  }
  return { endpoint, hand, prefix, codeWith, plant, replicas: secretOf('replicas') }
}

test(
  'a copy of the store, Redis and the digest of the token together open no session and make none',
  {
    skip: noPostgres || noRedis,
  },
  async (t) => {
    const { endpoint, hand, prefix, codeWith, plant, replicas } = await startScene(t)
    const mine = await signIn(endpoint)
    await untilEqual(() => codeWith(mine.secret), '200 ok')
    const digest = digestOf(token)
    const stolen = ['sessions', 'sessions 2'].flatMap((purpose) => [
      createSealedMessages(replicas, purpose),
      createSealedMessages(Buffer.concat([digest, replicas]), purpose),
    ])
    for (const key of await hand.keys(`${prefix}*`)) {
      const [, sealed = ''] = (await hand.get(key))?.split('.') ?? []
      for (const envelopes of stolen)
        assert.equal(envelopes.open([key.slice(prefix.length)], Buffer.from(sealed, 'base64url')), undefined)
    }
    for (const envelopes of stolen) {
      const secret = await plant((name, plain) => envelopes.seal([name], plain), digest)
      await untilEqual(() => codeWith(secret), '401 session_ended')
    }
    // with the token it opens: what is refused above is not refused for its form
    const seal = createSessionSeal(replicas, tokensOf(token))
    const secret = await plant((name, plain) => seal.seal([name], plain, digest) ?? Buffer.alloc(0), digest)
    await untilEqual(() => codeWith(secret), '200 ok')
    await untilEqual(() => codeWith(mine.secret), '200 ok')
  },
)

test('the digest of a long token does not open what the token sealed', () => {
  const long = randomBytes(60).toString('hex')
  const [secret, digest] = [randomBytes(32), digestOf(long)]
  const seal = createSessionSeal(secret, tokensOf(long))
  const plain = Buffer.from(JSON.stringify({ who: whoOf(digest), digest: digest.toString('base64url') }))
  const sealed = seal.seal(['name'], plain, digest) ?? assert.fail('its token is valid')
  const derived = createSessionSeal(secret, {
    validTokens: () => [
      { digest, sealing: createSealing(digest) },
      { digest, sealing: createSealing(Buffer.from(long)) },
    ],
  })
  assert.equal(derived.open(['name'], sealed), undefined)
  assert.deepEqual(seal.open(['name'], sealed), plain)
  assert.equal(seal.open(['other'], sealed), undefined)
})

test('the holder of one token cannot forge a session of the other', () => {
  const [mine, other] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const secret = randomBytes(32)
  const both = {
    validTokens: () => [mine, other].flatMap((one) => tokensOf(one).validTokens()),
  }
  const seal = createSessionSeal(secret, both)
  const [own, theirs] = [digestOf(mine), digestOf(other)]
  const plainOf = (who: string, digest: Buffer) =>
    Buffer.from(JSON.stringify({ who, digest: digest.toString('base64url') }))
  for (const plain of [plainOf(whoOf(theirs), own), plainOf(whoOf(theirs), theirs), Buffer.from('{')]) {
    const sealed = seal.seal(['name'], plain, own) ?? assert.fail('it is valid')
    assert.equal(seal.open(['name'], sealed), undefined)
  }
  const sealed = seal.seal(['name'], plainOf(whoOf(own), own), own) ?? assert.fail('it is valid')
  assert.ok(seal.open(['name'], sealed))
  // the token is removed from its file
  const left = createSessionSeal(secret, { validTokens: () => tokensOf(other).validTokens() })
  assert.equal(left.open(['name'], sealed), undefined)
  assert.equal(left.seal(['name'], plainOf(whoOf(own), own), own), undefined)
})
