// Repeats every example of the reference: the requests and the answers are read from the pages.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { askErrors } from '../../scripts/examples/ask-errors.ts'
import { routes } from '../../src/catalogue/index.ts'
import examples from '../../src/derive/examples.json' with { type: 'json' }
import { problems } from '../../src/problems.ts'
import { startOverSandbox } from '../support/service.ts'

const read = (name: string): string => readFileSync(`docs/reference/${name}.md`, 'utf8')
/** the fenced blocks of this language, in their order */
const blocks = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\`$`, 'gm'))].map(([, text = '']) => text)

/** codes that no request over the sandbox causes: their pages show the body from the table */
const notProvoked = {
  ambiguous_selection: 'no parent of the sandbox has two localizations of one locale',
  platform_refused_value: 'the sandbox refuses no value that the service lets through',
  store_unavailable: 'the store would have to fail',
  audit_behind: 'the store would have to be slower than one caller',
  connection_unreadable: 'a stored row would have to be altered',
  session_unknown: 'a Redis would have to fail',
  stopping: 'the service would have to end',
  connection_changed: 'two changes would have to meet',
  internal_error: 'a defect that is known is mended',
  sign_in_unknown: 'the sandbox has no provider for operators',
  sign_in_refused: 'a provider would have to refuse',
  role_missing: 'a provider would have to name somebody without a role',
  role_insufficient: 'a provider would have to name somebody with a role',
  provider_unavailable: 'a provider would have to fail',
  request_timeout: 'it takes the five seconds that it is about',
}

test("the answer on a route's page is the answer of the sandbox to the curl line on it", async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  for (const { operation } of routes) {
    const page = read(`routes/${operation}`)
    const [curl = ''] = blocks(page, 'sh')
    const [, target = ''] =
      /^curl 'http:\/\/127\.0\.0\.1:8080(\/[^']*)' -H "Authorization: Bearer \$VITRINE_KEY"$/.exec(curl) ?? []
    const answer = await service.ask(target.replace('/connections/demo/', '/connections/acme/'))
    assert.equal(answer.status, 200, operation)
    if (typeof answer.json.nextCursor === 'string') answer.json.nextCursor = 'a sealed cursor'
    const shown = blocks(page, 'json').at(-1) ?? 'null'
    assert.deepEqual(JSON.parse(shown), answer.json, operation)
    assert.ok(operation in examples)
  }
})

test('the three samples of a route make the same request', () => {
  const lines: [operation: string, command: string, client: string][] = [
    [
      'listApps',
      'vitrine read listApps --connection demo --limit 2 --sort name --fields name,bundleId,sku,primaryLocale',
      "const { items, nextCursor } = await vitrine.listApps({ limit: 2, sort: ['name'], fields: ['name', 'bundleId', 'sku', 'primaryLocale'] })",
    ],
    [
      'getEvent',
      'vitrine read getEvent --connection demo --eventId 3f0c1b52-8a64-4e5e-9d10-0e0000000003',
      "const answer = await vitrine.getEvent({ eventId: '3f0c1b52-8a64-4e5e-9d10-0e0000000003' })",
    ],
    [
      'listLibraryVideoPlacements',
      'vitrine read listLibraryVideoPlacements --connection demo --libraryVideoId 10877402008 --limit 2 --sort -createdDate',
      "const { items, nextCursor } = await vitrine.listLibraryVideoPlacements({ libraryVideoId: '10877402008', limit: 2, sort: ['-createdDate'] })",
    ],
  ]
  for (const [operation, command, client] of lines) {
    const page = read(`routes/${operation}`)
    assert.equal(blocks(page, 'sh')[1], command)
    assert.equal(blocks(page, 'ts')[0], client)
  }
})

test(
  "the answer on an error's page is the answer of the service to the request on it",
  { timeout: 60_000 },
  async () => {
    const asked = await askErrors()
    for (const code of Object.keys(problems)) {
      const page = read(`errors/${code}`)
      const [request] = blocks(page, 'http')
      const [body = 'null'] = blocks(page, 'json')
      const shown = JSON.parse(body)
      assert.equal(shown.error.code, code)
      assert.equal(code in notProvoked, request === undefined, `${code} is provoked, or says why not`)
      const given = asked[code]
      if (request === undefined || given === undefined) continue
      assert.equal(request, given.asked, code)
      assert.equal(given.status, problems[code as keyof typeof problems].status, code)
      assert.ok(page.includes(`is answered with ${given.status}:`), code)
      assert.deepEqual(shown, given.body, code)
    }
    assert.deepEqual(Object.keys(asked).length, Object.keys(problems).length - Object.keys(notProvoked).length)
  },
)

test('no example holds a key, a token or a private key', () => {
  const files = ['routes', 'errors', 'settings'].flatMap((folder) =>
    readdirSync(`docs/reference/${folder}`).map((file) => `docs/reference/${folder}/${file}`),
  )
  for (const file of [...files, 'src/derive/error-examples.json'].filter((one) => existsSync(one)))
    assert.doesNotMatch(readFileSync(file, 'utf8'), /vtr_(?:live|test)_\w{20}|PRIVATE KEY|the-token-of/, file)
})
