import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '../secrets/random.ts'
import { type Answer, type Service, startService } from '../support/service.ts'
import { canary } from './fault.ts'
import { type FaultyPlatform, startFaultyPlatform } from './faulty-platform.ts'
import { itemId, itemName } from './long-lists.ts'

const size = 5_000
/** readers that page at the same time, and in all */
const [walkers, walks] = [16, sized(100, 16)]
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))

interface Road {
  readonly path: (list: string) => string
  readonly item: (id: string) => unknown
}

const bare = (id: string) => id
const roads: readonly Road[] = [
  {
    path: (list) => `/subscriptions/${list}/offer-codes`,
    item: (id) => ({ id, name: itemName(id) }),
  },
  { path: (list) => `/apps/${list}/versions/ids`, item: bare },
  { path: (list) => `/events/${list}/localizations/ja/event-screenshots/ids`, item: bare },
  {
    path: (list) => `/custom-product-page-versions/${list}/localizations/ja/placements`,
    item: (id) => ({ id, placementGroup: itemName(id) }),
  },
]

/** what a caller may retry, and nothing else */
const again = new Set([429, 502, 503, 504])
/** no wait lasts longer here, neither after a 429 nor after a refused key */
const longestStallMs = 60_000

interface Walk {
  readonly number: number
  readonly list: string
  readonly key: string
  readonly connection: string
  readonly road: Road
  readonly limit: number
}

interface Effort {
  pages: number
  repeats: Map<string, number>
  longestStallMs: number
}

/** requests one page until it is answered */
async function askForPage(service: Service, walk: Walk, cursor: string | null, effort: Effort): Promise<Answer> {
  const { connection, road, list, limit, key, number } = walk
  const path = `/v1/connections/${connection}${road.path(list)}?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`
  // some requests ask for a fresh lookup of the locale
  const headers = (effort.pages + number) % 5 === 0 ? { 'cache-control': 'no-cache' } : {}
  const startedAt = performance.now()
  for (;;) {
    const answer = await service.ask(path, { key, headers })
    const stalledMs = performance.now() - startedAt
    effort.longestStallMs = Math.max(effort.longestStallMs, stalledMs)
    assert.ok(!answer.text.includes(canary) && !answer.text.includes('forged'), answer.text.slice(0, 300))
    if (answer.status === 200) return answer
    assert.ok(again.has(answer.status), `${answer.status} ${answer.text}`)
    assert.ok(stalledMs < longestStallMs, `no page for ${Math.round(stalledMs)} ms: ${answer.status} ${answer.text}`)
    const { code } = answer.json.error
    effort.repeats.set(code, (effort.repeats.get(code) ?? 0) + 1)
    const afterSec = Number(answer.headers['retry-after'] ?? 0)
    await sleep(afterSec > 0 ? afterSec * 1_000 : 20)
  }
}

async function walkToTheEnd(service: Service, walk: Walk, effort: Effort) {
  const { list, limit, road } = walk
  let cursor: string | null = null
  for (let at = 0; at < size; at += limit) {
    const { json }: Answer = await askForPage(service, walk, cursor, effort)
    effort.pages++
    const due = Array.from({ length: limit }, (_, i) => road.item(itemId(list, at + i)))
    assert.deepEqual(json.items, due, `${list} from ${at}`)
    assert.equal(json.nextCursor === null, at + limit === size, `${list} after ${at + limit}: ${json.nextCursor}`)
    cursor = json.nextCursor
  }
}

const connectionIds = ['acme', 'other', 'solo']

async function openScene(t: TestContext): Promise<{ platform: FaultyPlatform; service: Service; keys: string[] }> {
  const platform = await startFaultyPlatform(seed, 0.3, size)
  const upstream = { timeoutMs: 3_000, headersMs: 300, idleMs: 300 }
  const service = await startService(platform.url, { file: { upstream } })
  t.after(() => service.close().then(platform.close))
  const keys = await Promise.all(Array.from({ length: 8 }, () => service.issue()))
  return { platform, service, keys }
}

test(`${walks} readers page through ${size} items each, ${walkers} at once, and lose nothing while 30 % of the platform's answers are faulty`, async (t) => {
  const { platform, service, keys } = await openScene(t)
  const effort: Effort = { pages: 0, repeats: new Map(), longestStallMs: 0 }
  const startedAt = performance.now()
  let next = 0
  async function walker() {
    for (let number = next++; number < walks; number = next++) {
      const walk: Walk = {
        number,
        list: `list${number}`,
        limit: number % 2 ? 50 : 200,
        key: keys[number % keys.length] ?? '',
        connection: connectionIds[number % connectionIds.length] ?? '',
        road: roads[(number >> 1) % roads.length] as Road,
      }
      await walkToTheEnd(service, walk, effort)
    }
  }
  try {
    await Promise.all(Array.from({ length: walkers }, walker))
  } catch (error) {
    throw new Error(`with SEED=${seed}`, { cause: error })
  }
  const bad = [...platform.met.values()].reduce((sum, count) => sum + count, 0)
  const kinds = [...platform.met.values()].filter((count) => count > 0).length
  t.diagnostic(
    `seed ${seed}: ${effort.pages} pages in ${Math.round(performance.now() - startedAt)} ms, longest wait for one ${Math.round(effort.longestStallMs)} ms; ` +
      `${bad} of ${platform.calls()} answers faulty, ${kinds} kinds; asked again ${JSON.stringify(Object.fromEntries(effort.repeats))}`,
  )
  assert.ok(kinds >= 30, `${kinds} kinds of faults`)
  assert.ok(bad / platform.calls() > 0.2, `${bad} of ${platform.calls()} answers were faulty`)
  assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
})
