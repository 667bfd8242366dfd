// Tokens that name the GET they are sent with: no answer changes, and a token that leaks opens nothing else.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import type { Route } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { answerRead, page, single } from '../support/example-routes.ts'
import { type Call, refuse, type Script, send } from '../support/scripted-platform.ts'
import { publicKey, type Service, startOverSandbox, startScripted } from '../support/service.ts'

/** sends the target exactly as written, with these headers */
function tell(url: string, path: string, headers: Record<string, string>, method = 'GET') {
  const { hostname: host, port } = new URL(url)
  return new Promise<{ status: number; type: string; text: string }>((ok, no) => {
    const asking = request({ host, port, path, method, headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('end', () => {
        const text = Buffer.concat(parts).toString()
        ok({ status: res.statusCode ?? 0, type: String(res.headers['content-type']), text })
      })
    })
    asking.on('error', no)
    asking.end()
  })
}

const tokenOf = ({ headers }: Call): string => (headers.authorization ?? '').replace('Bearer ', '')
const scopeIn = (call: Call): string[] | undefined =>
  JSON.parse(Buffer.from(tokenOf(call).split('.')[1] ?? '', 'base64url').toString()).scope

const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', publicKey }
const startAccount = () => startSandbox({ accounts: [account] })

/** one service without and one with scoped tokens, over a recorder in front of a sandbox */
async function startBoth(t: test.TestContext, connection: Record<string, unknown> = {}) {
  const plain = await startOverSandbox({ connection })
  t.after(plain.close)
  const sandbox = await startAccount()
  t.after(() => sandbox.close())
  const record: Script = async ({ url, headers }, res) => {
    const { authorization = '', accept = '', host } = headers
    const { status, type, text } = await tell(sandbox.url, url, { authorization, accept })
    // its links lead to itself, and the service follows none that leave the platform
    send(res, text.replaceAll(sandbox.url, `http://${host}`), { 'content-type': type }, status)
  }
  const scoped = await startScripted(record, { connection: { ...connection, tokenScope: 'request' } })
  t.after(scoped.close)
  return { plain: plain.service, scoped: scoped.service, calls: scoped.platform.calls }
}

const strange = 'Ü, 散歩 & a=b+c? 100%25 #1'
const strangeId = encodeURIComponent('a/b c?d&e=f+g%h#i,ü')

/** the route's own example, and every other parameter that it takes */
function questionsFor({ example, returns, whole, filters, sort, shape }: Route): string[] {
  const path = example.split('?', 1)[0] ?? ''
  const fields = whole ? [] : Object.keys(returns?.attributes ?? {}).slice(0, 2)
  const filtered = Object.entries(filters).map(
    ([name, { values }]) => `${name}=${values ? values.slice(0, 2).join(',') : encodeURIComponent(strange)}`,
  )
  const queries = [
    fields.length > 0 ? `fields=${fields.join(',')}` : '',
    ...sort.flatMap((key) => [`sort=${key}`, `sort=-${key}`]),
    ...filtered,
    filtered.join('&'),
    shape === 'page' || shape === 'ids' ? 'limit=1' : '',
  ]
  const other = path.replace(/[^/]*\d[^/]*/, strangeId)
  return [example, path, ...queries.filter((q) => q !== '').map((q) => `${path}?${q}`), other]
}

const read = async (service: Service, path: string) => {
  const { status, json } = await service.ask(path)
  const next: unknown = json.nextCursor
  delete json.error?.requestId
  // each service seals it with its own key
  return { next, told: { status, ...json, nextCursor: typeof next === 'string' ? 'sealed' : next } }
}

for (const [words, connection] of [
  ['as it comes', {}],
  ['with linkages asked for', { linkage: 'asked' }],
] as const)
  test(`every route answers the same with scoped tokens, ${words}`, async (t) => {
    const { plain, scoped, calls } = await startBoth(t, connection)
    for (const route of routes)
      await t.test(route.operation, async () => {
        for (const path of questionsFor(route)) {
          const [{ told: expected }, { told }] = [await read(plain, path), await read(scoped, path)]
          assert.deepEqual(told, expected, path)
          assert.ok(![403, 502].includes(told.status), `${path} ${told.status}`)
        }
        assert.equal((await scoped.ask(route.example)).status, 200)
      })
    assert.ok(calls.every((call) => scopeIn(call)?.length === 1))
  })

test('paging with scoped tokens returns the same items, and one token serves all pages', async (t) => {
  const { plain, scoped, calls } = await startBoth(t)
  for (const { operation, example } of routes.filter(({ shape }) => shape === 'page' || shape === 'ids'))
    await t.test(operation, async () => {
      const path = example.split('?', 1)[0] ?? ''
      const whole: unknown[] = (await plain.ask(`${path}?limit=200`)).json.items
      calls.length = 0
      const walked: unknown[] = []
      const limit = Math.max(1, Math.ceil(whole.length / 3))
      for (let cursor: unknown = ''; typeof cursor === 'string';) {
        const { next, told } = await read(scoped, `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        walked.push(...told.items)
        cursor = next
      }
      assert.deepEqual(walked, whole)
      const paths = new Set(calls.map((call) => call.path))
      assert.ok(calls.length > 1 || whole.length === 1, 'several pages')
      assert.equal(new Set(calls.map(tokenOf)).size, paths.size, 'a token for each endpoint')
    })
})

/** other requests than the one that a token is for */
function strangersTo({ path, url }: Call): string[] {
  const pairs = (url.split('?')[1] ?? '').split('&').filter((pair) => pair !== '')
  const counted = pairs.filter((pair) => !/^(limit|cursor|sort)=/.test(pair))
  const without = (pair: string) => `${path}?${pairs.filter((other) => other !== pair).join('&')}`
  return [
    `${path}?${[...pairs, 'include=app'].join('&')}`,
    `${path}x${url.slice(path.length)}`,
    path.replace(/[^/]*$/, ''),
    ...counted.flatMap((pair) => [without(pair), `${without(pair)}&${pair}x`]),
  ]
}

test('a leaked token allows its own GET only: no other read, no other value, no write', async (t) => {
  const { scoped, calls } = await startBoth(t, { linkage: 'asked' })
  for (const { example, filters } of routes) {
    const [name] = Object.keys(filters)
    await scoped.ask(example)
    if (name !== undefined) await scoped.ask(`${example.split('?', 1)[0]}?${name}=${filters[name]?.values?.[0] ?? 'x'}`)
  }
  const leaked = [...new Map(calls.map((call) => [JSON.stringify(scopeIn(call)), call])).values()]
  assert.ok(leaked.length > routes.length)
  const { url, close } = await startAccount()
  t.after(close)
  for (const [i, call] of leaked.entries()) {
    const { authorization = '', accept = '' } = call.headers
    const use = (target: string, method?: string) => tell(url, target, { authorization, accept }, method)
    assert.equal((await use(call.url)).status, 200, call.url)
    // not each against each: the account has a quota
    const others = [...leaked, ...leaked].slice(i + 1, i + 12).map((other) => other.url)
    for (const target of [...strangersTo(call), ...others]) {
      const { status, text } = await use(target)
      assert.deepEqual([status, JSON.parse(text).errors[0].code], [403, 'FORBIDDEN_ERROR'], `${call.url} ${target}`)
    }
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      assert.equal((await use(call.url, method)).status, 403, `${method} ${call.url}`)
  }
})

test('an individual key and a second connection scope their tokens too', async (t) => {
  const { service, close } = await startOverSandbox({ connection: { tokenScope: 'request' } })
  t.after(close)
  for (const id of ['acme', 'other', 'solo'])
    assert.equal(
      (await service.ask(`/v1/connections/${id}/apps?limit=1&name=${encodeURIComponent(strange)}`)).status,
      200,
    )
})

test('a connection without the setting sends tokens without a scope', async (t) => {
  const { platform, service, close } = await startScripted(answerRead(page, page.healthy))
  t.after(close)
  assert.equal((await service.ask(page.path)).status, 200)
  assert.deepEqual(platform.calls.map(scopeIn), [undefined])
})

test('after a 401 the call is retried with a fresh token of the same scope, and other scopes keep their tokens', async (t) => {
  const connection = { tokenScope: 'request' }
  const { platform, service, close } = await startScripted(answerRead(page, page.healthy), { connection })
  t.after(close)
  const healthy = answerRead(page, page.healthy)
  const ask = async (place: typeof page, script: Script) => {
    platform.script = script
    platform.calls.length = 0
    const { status } = await service.ask(place.path)
    return {
      status,
      tokens: platform.calls.map(tokenOf),
      scopes: new Set(platform.calls.map((call) => scopeIn(call)?.join())),
    }
  }
  const other = await ask(single, answerRead(single, single.healthy))
  const once = await ask(page, (call, res) =>
    platform.calls.length === 1 ? refuse(res, 401, 'NOT_AUTHORIZED') : healthy(call, res),
  )
  assert.deepEqual([once.status, new Set(once.tokens).size, once.scopes.size], [200, 2, 1])
  assert.deepEqual((await ask(page, healthy)).tokens, once.tokens.slice(1))
  assert.deepEqual((await ask(single, answerRead(single, single.healthy))).tokens, other.tokens)
  const never = await ask(page, (_, res) => refuse(res, 401, 'NOT_AUTHORIZED'))
  assert.deepEqual([never.status, never.tokens.length, never.scopes.size], [502, 2, 1])
})
