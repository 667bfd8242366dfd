import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { openScene, type Scene, slowDown } from './scene.ts'

interface Query {
  readonly type: string
  readonly parser: string
  readonly source: string
  readonly url: string
  readonly url_options: { readonly method: string }
  readonly root_selector: string
  readonly columns: readonly { readonly selector: string; readonly text: string; readonly type: string }[]
  readonly pagination_mode?: string
}

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly datasource: object
  readonly targets: readonly Query[]
}

const text = readFileSync('examples/grafana/dashboard.json', 'utf8')
const dashboard = JSON.parse(text) as { panels: Panel[]; templating: { list: { query: { infinityQuery: Query } }[] } }
const source = readFileSync('examples/grafana/datasource.yaml', 'utf8')
const variables = { connection: 'acme', app: '6446998001' }

const follow = (value: any, path: string): any =>
  path === '' ? value : path.split('.').reduce((at, name) => at?.[name], value)

/** imitates the plugin: base url before a path, query encoded again, a row for each item at the root */
async function ask({ url, key }: Scene, query: Query): Promise<Record<string, unknown>[]> {
  const path = query.url.replaceAll(/\$\{(\w+):percentencode\}/g, (_, name: keyof typeof variables) => variables[name])
  const address = new URL(url + path)
  address.searchParams.sort()
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  if (answer.status >= 400) throw new Error(`unsuccessful HTTP response code ${answer.status}: ${await answer.text()}`)
  const root = follow(await answer.json(), query.root_selector)
  return [root]
    .flat()
    .map((row) => Object.fromEntries(query.columns.map(({ selector, text: name }) => [name, follow(row, selector)])))
}

const panelOf = (title: RegExp): Query => {
  const query = dashboard.panels.find((panel) => title.test(panel.title))?.targets[0]
  assert.ok(query, String(title))
  return query
}

test('the Grafana source reads its key from the environment and allows one host', () => {
  assert.match(source, /^ {4}type: yesoreyeram-infinity-datasource$/m)
  assert.match(source, /^ {6}auth_method: bearerToken$/m)
  assert.match(source, /^ {6}allowedHosts:\n {8}- \$VITRINE_URL$/m)
  assert.match(source, /^ {4}secureJsonData:\n {6}bearerToken: \$VITRINE_KEY$/m)
  assert.match(source, /^ {6}customHealthCheckUrl: \$VITRINE_URL\/v1\/whoami$/m)
  assert.doesNotMatch(source + text, /vtr_/)
})

test('every query of the Grafana dashboard is answered by the service, with the columns of its panel', async (t) => {
  const scene = await openScene(t)
  assert.equal(dashboard.panels.length, 8)
  for (const { title, datasource, targets } of dashboard.panels) {
    assert.deepEqual(datasource, { type: 'yesoreyeram-infinity-datasource', uid: 'vitrine' })
    for (const query of targets) {
      assert.deepEqual(
        [query.type, query.source, query.parser, query.url_options.method],
        ['json', 'url', 'backend', 'GET'],
      )
      // the plugin silently stops paging after five pages
      assert.equal(query.pagination_mode, undefined)
      const rows = await ask(scene, query)
      assert.ok(rows.length > 0, title)
      for (const { text: name } of query.columns)
        assert.ok(
          rows.some((row) => row[name] !== undefined),
          `${title}: ${name}`,
        )
    }
  }
})

test('the Grafana dashboard shows apps, feedback by day and the quota, and has a choice of apps', async (t) => {
  const scene = await openScene(t)
  const apps = await ask(scene, panelOf(/^Apps/))
  assert.equal(apps.length, 24)
  assert.deepEqual(Object.keys(apps[0] ?? {}), ['Name', 'Bundle identifier', 'SKU', 'Primary locale'])
  const feedback = await ask(scene, panelOf(/per day/))
  assert.equal(feedback.length, 64)
  for (const { Time } of feedback) assert.ok(!Number.isNaN(Date.parse(String(Time))))
  const [quota] = await ask(scene, panelOf(/calls left/))
  assert.equal(quota?.['of'], 3600)
  assert.equal(typeof quota?.['left'], 'number')
  const choice = await ask(scene, dashboard.templating.list[1]?.query.infinityQuery as Query)
  assert.deepEqual(choice[0], { __text: 'Aurora Almanac', __value: '6446998019' })
})

test('the Grafana dashboard says when a list has more rows than it shows', async (t) => {
  const scene = await openScene(t)
  assert.deepEqual(await ask(scene, panelOf(/all apps\?/)), [{ more: null }])
  const few = { ...panelOf(/all apps\?/), url: panelOf(/all apps\?/).url.replace('limit=200', 'limit=20') }
  assert.match(String((await ask(scene, few))[0]?.['more']), /^[\w-]{20,}$/)
  // as many as the list beside it shows
  const limits = dashboard.panels.flatMap(({ title, targets: [query] }) =>
    /200|\ball\b/.test(title) ? [query?.url] : [],
  )
  assert.equal(limits.length, 5)
  for (const url of limits) assert.match(url ?? '', /[?&]limit=200&/)
})

test('a panel of the Grafana dashboard shows an error for a failed read, never an empty table', async (t) => {
  const scene = await openScene(t)
  scene.spoil = () => slowDown
  for (const { targets } of dashboard.panels)
    for (const query of targets) await assert.rejects(ask(scene, query), /response code 429: .*Slower/)
})

test('the Grafana dashboard requests no comments and no email addresses of testers', () => {
  for (const { targets } of dashboard.panels)
    for (const { url } of targets)
      if (url.includes('beta-feedback')) assert.match(url, /fields=(createdDate|deviceModel)$/)
})
