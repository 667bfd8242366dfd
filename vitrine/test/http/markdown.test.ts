import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import test, { type TestContext } from 'node:test'
import { type Answer, type Service, startOverSandbox } from '../support/service.ts'

async function open(t: TestContext): Promise<Service> {
  const { service, close } = await startOverSandbox()
  t.after(close)
  return service
}

const markdown = 'text/markdown; charset=utf-8'
const typeOf = ({ headers }: Answer) => headers['content-type']
const bare = (service: Service, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.ask(path, { key: undefined, headers, method })

const namesIn = (folder: string): string[] => readdirSync(`docs/reference/${folder}`)

/** every page in Markdown, by the files that are committed */
const paths = [
  '/llms.txt',
  '/docs.md',
  '/docs/routes.md',
  '/docs/settings.md',
  '/errors.md',
  ...namesIn('routes').map((name) => `/docs/routes/${name}`),
  ...namesIn('settings').map((name) => `/docs/settings/${name}`),
  ...namesIn('errors').map((name) => `/errors/${name}`),
]

const withoutFences = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, '')
const linksIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)

test('every page is served in Markdown without a key, and each of its links leads to a page', async (t) => {
  const service = await open(t)
  assert.ok(paths.length > 110)
  const statuses = new Map<string, number>()
  for (const path of paths) {
    const answer = await bare(service, path)
    assert.equal(answer.status, 200, path)
    assert.equal(typeOf(answer), markdown, path)
    const links = linksIn(answer.text)
    assert.ok(links.length > 0, path)
    for (const to of links) {
      const target = posix.resolve(posix.dirname(path), to)
      if (!statuses.has(target)) statuses.set(target, (await bare(service, target)).status)
      assert.equal(statuses.get(target), 200, `${path} links to ${to}`)
    }
  }
  assert.ok(statuses.size > 110, 'every page is linked from some other')
  for (const path of paths.slice(1)) assert.ok(statuses.has(path), `nothing leads to ${path}`)
})

test('a served page equals the committed file, except for its links and a notice at its head', async (t) => {
  const service = await open(t)
  const words = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  for (const [path, file] of [
    ['/docs.md', 'README.md'],
    ['/docs/routes/listApps.md', 'routes/listApps.md'],
    ['/docs/settings/upstream.baseUrl.md', 'settings/upstream.baseUrl.md'],
    ['/errors/unknown_parameter.md', 'errors/unknown_parameter.md'],
  ] as const) {
    const { text } = await bare(service, path)
    const [notice = '', ...lines] = readFileSync(`docs/reference/${file}`, 'utf8').split('\n')
    assert.match(notice, /^<!-- Derived/)
    assert.equal(words(text), words(lines.join('\n')), path)
    assert.ok(!text.includes('../'), path)
  }
})

test('llms.txt is short: a title, a summary, what an agent must know, and links to Markdown by section', async (t) => {
  const { text } = await bare(await open(t), '/llms.txt')
  assert.match(text, /^# Vitrine\n\n> Read-only, flat JSON over a store account\./)
  for (const word of ['Authorization: Bearer', 'nextCursor', 'Retry-After', 'POST /mcp', '/v1/whoami'])
    assert.ok(text.includes(word), word)
  assert.ok(text.length < 10_000)
  assert.deepEqual(
    [...text.matchAll(/^#+ .*/gm)].map(([line]) => line).filter((line) => !line.includes('of group')),
    ['# Vitrine', '## Reference', '## Optional'],
  )
  for (const to of linksIn(text)) assert.match(to, /^\/(?:[\w/.]+\.md|openapi\.json)$/)
})

test('an HTML page is served as Markdown to a client that prefers it', async (t) => {
  const service = await open(t)
  const wishes: [accept: string | undefined, type: RegExp][] = [
    [undefined, /html/],
    ['*/*', /html/],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', /html/],
    ['text/*', /html/],
    ['text/plain', /html/],
    ['text/markdown', /markdown/],
    ['TEXT/Markdown; Q=0.8', /markdown/],
    ['text/markdown, text/html;q=0.9', /markdown/],
    ['text/markdown, text/html, */*', /markdown/],
    ['text/html, text/markdown', /html/],
    ['text/markdown;q=0.5, text/html', /html/],
    ['text/markdown;q=0.5, text/html;q=0.4', /markdown/],
    ['text/markdown;q=0.5, */*', /html/],
    ['text/markdown, */*', /markdown/],
    ['*/*, text/markdown', /markdown/],
    ['text/markdown;q=0', /html/],
    ['text/markdown;q=0, */*;q=0', /html/],
    ['text/markdown;q=7, text/html', /html/],
    ['text/markdownish', /html/],
    [',,;q=,text/markdown;', /markdown/],
    ['text/markdown;q=0,'.repeat(500), /html/],
  ]
  for (const path of ['/docs', '/docs/', '/errors', '/errors/key_missing'])
    for (const [accept, type] of wishes) {
      const answer = await bare(service, path, accept === undefined ? {} : { accept })
      assert.equal(answer.status, 200)
      assert.match(String(typeOf(answer)), type, `${path} for ${accept}`)
      assert.equal(answer.headers['vary'], 'Accept, Accept-Encoding')
      assert.equal(answer.headers['link'], `<${path.replace(/\/$/, '')}.md>; rel="alternate"; type="text/markdown"`)
      if (type.source === 'html') assert.ok(answer.headers['content-security-policy'])
    }
})

test('an HTML page links to its Markdown version, which is the text that its path returns', async (t) => {
  const service = await open(t)
  for (const path of ['/docs', '/errors', '/errors/key_missing']) {
    const { text } = await bare(service, path)
    assert.match(text, new RegExp(`<link rel="alternate" type="text/markdown" href="${path}\\.md"`))
    assert.equal(
      (await bare(service, path, { accept: 'text/markdown' })).text,
      (await bare(service, `${path}.md`)).text,
    )
  }
})

test('HEAD is answered as GET is, without the text', async (t) => {
  const service = await open(t)
  for (const path of [
    '/llms.txt',
    '/docs.md',
    '/docs/routes/listApps.md',
    '/docs/settings/log.md',
    '/errors/stopping.md',
  ]) {
    const [whole, head] = [await bare(service, path), await bare(service, path, {}, 'HEAD')]
    assert.deepEqual([head.status, head.text, typeOf(head)], [200, '', markdown])
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(whole.text)))
  }
})

test('a missing page is 404, and a path that is no page requires a key', async (t) => {
  const service = await open(t)
  const missing = [
    '/docs/routes/listNothing.md',
    '/docs/routes/constructor.md',
    '/docs/settings/nothing.md',
    '/docs/settings/...md',
    '/errors/nothing.md',
    '/errors/constructor.md',
    '/errors/nothing',
    '/docs/routes/routes.md',
  ]
  for (const path of missing) {
    const { status, json } = await bare(service, path)
    assert.deepEqual([status, json.error.code], [404, 'route_not_found'], path)
  }
  const shut = [
    '/llms.txt/',
    '/LLMS.txt',
    '/docs.md/',
    '/docs/README.md',
    '/docs/routes/',
    '/docs/routes/listApps',
    '/docs/x.md',
    '/docs/routes/../settings.md',
    '/docs/routes/%6cistApps.md',
    '/docs/routes/listApps.md/',
    '/docs/settings/a/b.md',
    '/errors/x.md.md',
    '/errors/a.b',
    '/errors//key_missing.md',
    '//docs.md',
    '/docs/routes/listApps.md%00',
  ]
  for (const path of shut) assert.equal((await bare(service, path)).json.error.code, 'key_missing', path)
  for (const path of ['/llms.txt', '/docs/routes/listApps.md'])
    assert.equal((await bare(service, path, {}, 'DELETE')).status, 405)
})

test('the operator endpoint serves the error pages in Markdown, and nothing else of the reference', async (t) => {
  const { service, close } = await startOverSandbox({ file: { operatorListen: '127.0.0.1:0' } })
  t.after(close)
  const ask = async (path: string, accept = '*/*') => {
    const answer = await fetch(`${service.operatorUrl}${path}`, { headers: { accept } })
    return [answer.status, answer.headers.get('content-type'), await answer.text()] as const
  }
  for (const path of ['/errors', '/errors/member_invalid']) {
    const [status, type, text] = await ask(`${path}.md`)
    assert.deepEqual([status, type], [200, markdown])
    assert.deepEqual(await ask(path, 'text/markdown'), [200, markdown, text])
    for (const to of linksIn(text)) assert.equal((await ask(to))[0], 200, to)
  }
  for (const path of ['/llms.txt', '/docs.md', '/docs/routes/listApps.md'])
    assert.equal((await ask(path))[0], 401, path)
})
