// Two tenants whose ids are equal at the platform, over two replicas that share what they read: never anything of the other, and
// nothing that can be read in what the Redis holds.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Redis } from 'ioredis'
import { type Canary, findCanaries } from '../support/canaries.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis, ownRedis } from '../../../base/test/redis.ts'
import { startReplicas } from '../support/replicas.ts'
import { type Call, type Script, send } from '../support/scripted-platform.ts'

const skip = noPostgres || noRedis
const reads = process.env['ENDURANCE'] === 'full' ? 10_000 : 300

/** the platform key that signed the token */
function signerOf({ headers }: Call): string {
  const token = String(headers.authorization).replace(/^Bearer /, '')
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}

const names = { acme: 'canary-of-ACMEKEY001-in-full', other: 'canary-of-OTHERKEY01-in-full' } as const
const email = 'tester.of.acme@canary.example'

const answerByKey: Script = async (call, res) => {
  const own = signerOf(call) === 'ACMEKEY001' ? names.acme : names.other
  await new Promise((ok) => setTimeout(ok, 40))
  if (call.path.endsWith('betaFeedbackScreenshotSubmissions'))
    return send(res, {
      data: [{ type: 'betaFeedbackScreenshotSubmissions', id: 'f1', attributes: { comment: own, email } }],
      links: {},
    })
  const next = `${call.url.replace(/&cursor=[^&]*/, '')}&cursor=place-${own}`
  send(res, { data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes: { name: own } }], links: { next } })
}

/** every value in Redis, unchanged */
async function dumpOf(client: Redis): Promise<Buffer> {
  const all: Buffer[] = []
  for (const name of await client.keys('*')) {
    all.push(Buffer.from(name))
    const kind = await client.type(name)
    if (kind === 'string') all.push((await client.getBuffer(name)) ?? Buffer.alloc(0))
    else if (kind === 'hash') all.push(...Object.values(await client.hgetallBuffer(name)))
    else if (kind === 'zset') all.push(...(await client.zrangeBuffer(name, '0', '-1')))
    else assert.ok(kind === 'none', kind)
  }
  return Buffer.concat(all)
}

for (const cacheSeconds of [0, 60])
  test(
    `tenants never get each other, nor does the Redis know them (${cacheSeconds} s remembered)`,
    { skip, timeout: 300_000 },
    async (t) => {
      const own = await ownRedis()
      const client = new Redis(own.url)
      t.after(async () => {
        client.disconnect()
        await own.kill()
      })
      const { platform, services, key } = await startReplicas(t, answerByKey, {
        redis: () => own.url,
        file: { cacheSeconds },
      })
      const dumps: Buffer[] = []
      let left = reads
      async function visit(number: number) {
        const whose = number % 2 === 0 ? ('acme' as const) : ('other' as const)
        const base = `/v1/connections/${whose}`
        const kind = number % 17
        const path =
          kind === 0
            ? `${base}/apps/a1/beta-feedback-screenshot-submissions`
            : `${base}/subscriptions/s${number % 3}/offer-codes`
        const headers = number % 7 === 0 ? { 'cache-control': 'no-cache' } : {}
        const { status, text, json } = await services[Math.floor(number / 2) % 2]!.ask(path, { key, headers })
        assert.equal(status, 200, text)
        const [item] = json.items
        assert.equal(kind === 0 ? item.comment : item.name, names[whose])
        assert.ok(!text.includes(names[whose === 'acme' ? 'other' : 'acme']))
        if (number % 40 === 0) dumps.push(await dumpOf(client))
      }
      const visitor = async () => {
        while (left > 0) await visit(left--)
      }
      await Promise.all(Array.from({ length: 48 }, visitor))
      dumps.push(await dumpOf(client))
      assert.ok(platform.calls.length < reads * 0.9, `${platform.calls.length} calls`)

      const held = Buffer.concat(dumps)
      assert.ok(held.length > 1_000, 'something was seen')
      const texts = [
        'ACMEKEY001',
        'acme',
        'offer-codes',
        'offerCodes',
        'subscriptions',
        email,
        names.acme,
        names.other,
        key,
      ]
      for (const text of texts) assert.ok(!held.includes(text), text)
      const canaries: Canary[] = [names.acme, names.other, email, key].map((secret) => ({ name: secret, secret }))
      assert.deepEqual(findCanaries(held, canaries), [])
      t.diagnostic(
        `${reads} reads, ${platform.calls.length} calls, ${dumps.length} dumps, ${held.length} bytes looked through`,
      )
      for (const name of await client.keys('*')) assert.ok((await client.pttl(name)) !== -1, `${name} has an end`)
    },
  )
