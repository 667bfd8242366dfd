// The dashboard, the rules, the runbooks and their pages against the metrics of a running service.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { noPostgres } from '../../../base/test/postgres.ts'
import { noRedis } from '../../../base/test/redis.ts'
import { allowed, ofService, parse, values } from '../operator/scrape.ts'
import { startScene } from './scene.ts'
import { expressionsOf, folder, namesIn, noPromtool, readDashboard, readRules } from './monitoring.ts'

const rules = readRules()
const alerts = rules.filter(({ isAlert }) => isAlert)
const dashboard = readDashboard()
const shown = expressionsOf(dashboard)
const runbooks = readFileSync('docs/operations/runbooks.md', 'utf8')

/** labels that Prometheus adds */
const added = ['job', 'instance', 'le']

/** metrics that no panel and no rule uses, each with its reason */
const notShown: Readonly<Record<string, string>> = {
  nodejs_active_: 'how many handles of each type: to find a leak',
  nodejs_eventloop_lag_: 'the 99th hundredth and the most say it all',
  nodejs_external_memory_bytes: 'it is in the resident memory',
  nodejs_heap_s: 'parts of the heap: to find a leak',
  nodejs_version_info: 'it comes with the version of Vitrine',
  process_cpu_: 'the sum of both kinds is shown',
  process_heap_bytes: 'it is in the resident memory',
  process_virtual_memory_bytes: 'Node.js reserves far more than it uses',
  process_start_time_seconds: 'it is not told of several processes; vitrine_start_time_seconds is',
}

async function scrapeAll(t: TestContext): Promise<{ names: Set<string>; labels: Map<string, Set<string>> }> {
  const scene = await startScene()
  t.after(() => scene.close())
  await scene.traffic()
  const text = await scene.metrics()
  const labels = new Map(
    Object.entries({ ...allowed, ...ofService }).map(([name, known]) => [name, new Set<string>(known)]),
  )
  for (const { name, labels: its } of parse(text))
    labels.set(name, new Set([...(labels.get(name) ?? []), ...Object.keys(its)]))
  const names = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
  return { names, labels }
}

const familyOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '')

test(
  'dashboard, rules and pages name only real metrics, and every metric is used or left out on purpose',
  {
    skip: noPostgres || noRedis,
  },
  async (t) => {
    const { names, labels } = await scrapeAll(t)
    const isTold = (name: string) => names.has(name) || names.has(familyOf(name))
    const labelsOf = (name: string) => labels.get(name) ?? labels.get(familyOf(name)) ?? new Set()
    const named = new Set<string>()
    for (const { where, expr } of [
      ...shown.map(({ panel, expr }) => ({ where: `the panel ${panel}`, expr })),
      ...rules.map(({ name, expr }) => ({ where: name, expr })),
    ]) {
      const { metrics, grouped } = namesIn(expr)
      for (const [name, wanted] of metrics) {
        assert.ok(isTold(name), `${where} asks for ${name}, which is not told`)
        named.add(familyOf(name)).add(name)
        for (const [label, said] of wanted) {
          assert.ok(labelsOf(name).has(label) || added.includes(label), `${where} asks ${name} for the label ${label}`)
          for (const value of said)
            if (!added.includes(label)) assert.ok(values[label]?.(value), `${where}: ${label}="${value}" is never told`)
        }
      }
      const known = new Set([...metrics.keys()].flatMap((name) => [...labelsOf(name)]))
      for (const label of grouped) assert.ok(known.has(label) || added.includes(label), `${where} groups by ${label}`)
    }
    for (const { definition } of dashboard.templating.list)
      for (const name of definition === undefined ? [] : namesIn(definition).metrics.keys())
        assert.ok(isTold(name), name)
    for (const page of globSync('docs/{guides,operations}/*.md'))
      for (const [name] of readFileSync(page, 'utf8').matchAll(
        /\b(?:vitrine|process|nodejs)_[a-z0-9_]+[a-z0-9]\b(?!…)/g,
      ))
        assert.ok(isTold(name) || labelsOf(name).size > 0 || name === 'vitrine_schema', `${page} names ${name}`)
    const leftOut = [...names].filter((name) => !named.has(name))
    const isMeant = (name: string) => Object.keys(notShown).some((begin) => name.startsWith(begin))
    assert.deepEqual(
      leftOut.filter((name) => !isMeant(name)),
      [],
      'told, and neither shown nor left out on purpose',
    )
    for (const begin of Object.keys(notShown))
      if (begin !== 'process_start_time_seconds')
        assert.ok(
          leftOut.some((name) => name.startsWith(begin)),
          `${begin} is shown, or not told`,
        )
  },
)

test('every alert has a reason, a severity and a runbook, and every runbook has an alert', () => {
  const headings = [...runbooks.matchAll(/^## (Vitrine\w+)$/gm)].map(([, name = '']) => name)
  const names = alerts.map(({ name }) => name)
  assert.deepEqual(headings.toSorted(), names.toSorted())
  assert.equal(new Set(names).size, names.length)
  for (const { name, text } of alerts) {
    assert.match(text, /^ +severity: (page|ticket)$/m, name)
    assert.match(text, /^ +summary: \S.{9,}$/m, name)
    assert.match(text, /^ +reason: \S.{9,}$/m, name)
    assert.ok(text.includes(`runbook: docs/operations/runbooks.md#${name.toLowerCase()}\n`), name)
  }
})

test('every runbook has its meaning, what callers see, diagnosis, fix, when it is resolved, and the reason for its threshold', () => {
  const parts = ['Meaning', 'Callers see', 'Diagnosis', 'Fix', 'Resolved', 'Threshold']
  for (const section of runbooks.split(/^## /m).slice(1)) {
    const [name = ''] = section.split('\n', 1)
    if (!name.startsWith('Vitrine')) continue
    const said = [...section.matchAll(/^\*\*([^*]+)\.\*\*/gm)].map(([, part]) => part)
    assert.deepEqual(said, parts, name)
    const severity = alerts.find((alert) => alert.name === name)?.text.match(/severity: (\w+)/)?.[1]
    assert.match(section, new RegExp(`^[\\w]+\\n\\n\`${severity}\``), name)
  }
})

test('every panel has a description, which names only existing alerts', () => {
  for (const { type, title, description = '' } of dashboard.panels.filter(({ type }) => type !== 'row')) {
    assert.ok(description.length > 40, `${type} ${title}`)
    for (const [name] of description.matchAll(/\bVitrine[A-Z]\w+/g))
      assert.ok(
        alerts.some((alert) => alert.name === name),
        `${title} names ${name}`,
      )
  }
})

test('every alert is tested on a faulty and on a healthy series', () => {
  const tests = readFileSync(`${folder}/alerts.test.yaml`, 'utf8')
  for (const { name } of alerts) {
    assert.match(tests, new RegExp(`alertname: ${name}\\n +exp_alerts: \\[\\]`), `${name} is silent`)
    assert.match(tests, new RegExp(`alertname: ${name}\\n +exp_alerts:\\n +- exp_labels`), `${name} fires`)
  }
})

const run = promisify(execFile)

test(
  'promtool accepts the rules, their tests and the example configuration',
  {
    skip: noPromtool,
  },
  async () => {
    const judged = await Promise.all([
      run('promtool', ['check', 'rules', `${folder}/alerts.yaml`]),
      run('promtool', ['test', 'rules', `${folder}/alerts.test.yaml`]),
      run('promtool', ['check', 'config', '--syntax-only', `${folder}/prometheus.yaml`]),
    ])
    for (const { stdout } of judged) assert.match(stdout, /SUCCESS/)
  },
)

test('promtool accepts every expression of the dashboard', { skip: noPromtool }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'vitrine-rules-'))
  t.after(() => rmSync(scratch, { recursive: true }))
  const file = join(scratch, 'rules.json')
  const all = shown.map(({ expr }, at) => ({ record: `shown:${at}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: all }] }))
  const { stdout } = await run('promtool', ['check', 'rules', file])
  assert.match(stdout, new RegExp(`SUCCESS: ${shown.length} rules found`))
})
