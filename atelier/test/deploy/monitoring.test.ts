// The dashboard, the rules and the runbooks against the metrics of a running service, and against promtool.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { monitoringOf } from '../../../base/test/monitoring.ts'
import { events } from '../../src/events.ts'
import { problems } from '../../src/problems.ts'
import { familiesOf, familyOf, labelsOf, labelValues, samplesOf } from '../metrics/scrape.ts'
import { call, openUsedRig } from '../service-rig.ts'

const { folder, readRules, readDashboard, expressionsOf, namesIn, noPromtool } = monitoringOf({
  folder: 'deploy/monitoring',
  service: 'atelier',
  variables: ['instance'],
})
const rules = readRules()
const alerts = rules.filter(({ isAlert }) => isAlert)
const dashboard = readDashboard()
const shown = expressionsOf(dashboard)
const operatorToken = '5d1be0c97a3f48629cd0e4f7a8b16325'

/** labels that Prometheus adds */
const added = ['job', 'instance', 'le']

/** begins of metrics that no panel and no rule uses, each with its reason */
const notShown: Readonly<Record<string, string>> = {
  atelier_egress_: 'off by default, and refusals are the business of callers: to find out why a host is not reached',
  nodejs_active_: 'how many handles of each type: to find a leak',
  nodejs_eventloop_lag_: 'the 99th hundredth says it all',
  nodejs_external_memory_bytes: 'it is in the resident memory',
  nodejs_heap_s: 'parts of the heap: to find a leak',
  nodejs_version_info: 'it comes with the version of Atelier',
  process_cpu_: 'the sum of both kinds is shown',
  process_heap_bytes: 'it is in the resident memory',
  process_virtual_memory_bytes: 'Node.js reserves far more than it uses',
  process_start_time_seconds: 'atelier_start_time_seconds is shown',
}

/** the metrics of a running service, and the labels of each */
async function scrape(t: TestContext) {
  const { rig, create } = await openUsedRig(t, { operatorToken })
  await create()
  const { text } = await call(rig.service.operatorUrl, 'GET', '/metrics', { key: operatorToken })
  const labels = new Map(Object.entries(labelsOf).map(([name, known]) => [name, new Set(known)]))
  for (const { name, labels: its } of samplesOf(text))
    if (!name.startsWith('atelier_')) labels.set(name, new Set([...(labels.get(name) ?? []), ...Object.keys(its)]))
  return { families: familiesOf(text), labels }
}

test('dashboard, rules and pages name only real metrics, and every metric is shown or left out on purpose', async (t) => {
  const { families, labels } = await scrape(t)
  const isReal = (name: string) => families.has(name) || families.has(familyOf(name))
  const known = (name: string) => labels.get(name) ?? labels.get(familyOf(name)) ?? new Set<string>()
  const named = new Set<string>()
  const places = [...shown.map(({ panel, expr }) => [panel, expr]), ...rules.map(({ name, expr }) => [name, expr])]
  for (const [where = '', expr = ''] of places) {
    const { metrics, grouped } = namesIn(expr)
    for (const [name, wanted] of metrics) {
      assert.ok(isReal(name), `${where} asks for ${name}`)
      named.add(name).add(familyOf(name))
      for (const [label, values] of wanted) {
        if (added.includes(label)) continue
        assert.ok(known(name).has(label), `${where} asks ${name} for the label ${label}`)
        for (const value of values) assert.ok(labelValues[label]?.(value), `${where}: ${label}="${value}"`)
      }
    }
    const all = new Set([...metrics.keys()].flatMap((name) => [...known(name)]))
    for (const label of grouped) assert.ok(all.has(label) || added.includes(label), `${where} groups by ${label}`)
  }
  for (const page of globSync(['docs/*.md', 'docs/runbooks/*.md']))
    for (const [name] of readFileSync(page, 'utf8').matchAll(/\b(?:atelier|process|nodejs)_[a-z0-9_]+[a-z0-9]\b(?!…)/g))
      assert.ok(isReal(name), `${page} names ${name}`)
  const leftOut = [...families].filter((name) => !named.has(name))
  const isMeant = (name: string) => Object.keys(notShown).some((begin) => name.startsWith(begin))
  assert.deepEqual(
    leftOut.filter((name) => !isMeant(name)),
    [],
  )
  for (const begin of Object.keys(notShown))
    assert.ok(
      leftOut.some((name) => name.startsWith(begin)),
      begin,
    )
})

const pageOf = (alert: string): string =>
  alert
    .slice('Atelier'.length)
    .replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase()

test('every alert has a severity, a summary, a reason and a runbook, and every runbook an alert', () => {
  const pages = globSync('docs/runbooks/*.md').map((file) => basename(file, '.md'))
  const names = alerts.map(({ name }) => name)
  assert.deepEqual(pages.filter((page) => page !== 'README').toSorted(), names.map(pageOf).toSorted())
  const index = readFileSync('docs/runbooks/README.md', 'utf8')
  for (const { name, text } of alerts) {
    const [, severity = ''] = /^ +severity: (page|ticket)$/m.exec(text) ?? []
    assert.match(text, /^ +summary: '\S.{9,}'$/m, name)
    assert.match(text, /^ +reason: '\S.{9,}'$/m, name)
    assert.ok(text.includes(`runbook: docs/runbooks/${pageOf(name)}.md\n`), name)
    assert.ok(index.includes(`| [${name}](${pageOf(name)}.md) | \`${severity}\` | `), name)
    const page = readFileSync(`docs/runbooks/${pageOf(name)}.md`, 'utf8')
    assert.ok(page.startsWith(`# ${name}\n\n\`${severity}\`: `), name)
    const parts = [...page.matchAll(/^\*\*([^*]+)\.\*\* \S/gm)].map(([, part]) => part)
    assert.deepEqual(parts, ['Meaning', 'Callers see', 'Look at', 'Do', 'Resolved', 'Threshold'], name)
  }
})

test('every panel says what to do, and names only alerts that exist', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')
  assert.ok(panels.length > 30)
  for (const { title, description = '', targets = [] } of panels) {
    assert.ok(description.length > 40 && targets.length > 0, title)
    for (const [name] of description.matchAll(/\bAtelier[A-Z]\w+/g))
      assert.ok(
        alerts.some((alert) => alert.name === name),
        `${title} names ${name}`,
      )
  }
  assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length)
})

test('every alert is tested on a faulty and on a healthy series', () => {
  const tests = readFileSync(`${folder}/alerts.test.yaml`, 'utf8')
  for (const { name } of alerts) {
    assert.match(tests, new RegExp(`alertname: ${name}\\n +exp_alerts: \\[\\]`), `${name} is silent`)
    assert.match(tests, new RegExp(`alertname: ${name}\\n +exp_alerts:\\n +- exp_labels`), `${name} fires`)
  }
})

const run = promisify(execFile)

test('promtool accepts the rules, their tests and the example settings', { skip: noPromtool }, async () => {
  const judged = await Promise.all([
    run('promtool', ['check', 'rules', `${folder}/alerts.yaml`]),
    run('promtool', ['test', 'rules', `${folder}/alerts.test.yaml`]),
    run('promtool', ['check', 'config', '--syntax-only', `${folder}/prometheus.yaml`]),
  ])
  for (const { stdout } of judged) assert.match(stdout, /SUCCESS/)
})

test('promtool accepts every expression of the dashboard', { skip: noPromtool }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'atelier-rules-'))
  t.after(() => rmSync(scratch, { recursive: true }))
  const file = join(scratch, 'rules.json')
  const all = shown.map(({ expr }, at) => ({ record: `shown:${at}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: all }] }))
  const { stdout } = await run('promtool', ['check', 'rules', file])
  assert.match(stdout, new RegExp(`SUCCESS: ${shown.length} rules found`))
})

test('the runbooks name only lines and codes that the log can have', () => {
  const pages = globSync('docs/runbooks/*.md').map((page) => readFileSync(page, 'utf8').replaceAll('\n', ' '))
  const named = (pattern: RegExp) => pages.flatMap((page) => [...page.matchAll(pattern)].map((match) => match[1] ?? ''))
  const kinds = [...named(/\.kind == "(\w+)"/g), ...named(/\blines? `(\w+)`/g)]
  assert.ok(kinds.includes('engine_away') && kinds.includes('sweep_failed') && kinds.includes('container_ended'))
  assert.deepEqual(
    kinds.filter((kind) => !(kind in events) || events[kind as keyof typeof events].level === 'never'),
    [],
  )
  assert.deepEqual(
    named(/\.code == "(\w+)"/g).filter((code) => !(code in problems)),
    [],
  )
})
