// The expressions of the Grafana dashboard and the Prometheus rules, and the metrics and labels that they name.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface MonitoringParts {
  /** with alerts.yaml and grafana.json */
  readonly folder: string
  /** begins the names of its metrics */
  readonly service: string
  /** of the dashboard, besides its source */
  readonly variables: readonly string[]
}

export interface Rule {
  readonly name: string
  readonly isAlert: boolean
  readonly expr: string
  /** the whole text of the rule */
  readonly text: string
}

/** an expression on one line, or folded over several */
function exprIn(text: string): string {
  const [, first = ''] = /^ +expr: (.*)$/m.exec(text) ?? []
  if (!first.startsWith('>')) return first
  const [, folded = ''] = /^ +expr: >-?\n((?: {10,}.*\n)+)/m.exec(text) ?? []
  return folded.replaceAll(/\s+/g, ' ').trim()
}

function rulesIn(folder: string): Rule[] {
  const rules = readFileSync(`${folder}/alerts.yaml`, 'utf8').split(/^ +(?=- (?:alert|record): )/m)
  return rules.slice(1).map((text) => {
    const [, kind, name = ''] = /^- (alert|record): (\S+)/.exec(text) ?? []
    return { name, isAlert: kind === 'alert', expr: exprIn(text), text }
  })
}

interface Panel {
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly expr: string }[]
}

export interface Dashboard {
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly expr: string }[] }
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}

export interface Shown {
  readonly panel: string
  readonly expr: string
}

/** with the variables replaced by "all" */
function expressionsIn({ panels, annotations }: Dashboard, variables: readonly string[]): Shown[] {
  const variable = new RegExp(`\\$(${variables.join('|')})\\b`, 'g')
  const plain = (expr: string) => expr.replaceAll('$__rate_interval', '1m').replaceAll(variable, '.*')
  return [
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ panel: title, expr: plain(expr) }))),
    ...annotations.list.map(({ expr }) => ({ panel: 'annotations', expr: plain(expr) })),
  ]
}

export interface Named {
  /** metric -> its labels in selectors, with the matched values */
  readonly metrics: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** the labels in `by` */
  readonly grouped: readonly string[]
}

const matcher = /(\w+)(=~|!~|=|!=)"([^"]*)"/g

/** the names in an expression of PromQL; values that are patterns are taken apart at their bars, `.*` says nothing */
function namesOf(expr: string, service: string): Named {
  const metric = new RegExp(`\\b(?:${service}|process|nodejs)_[a-z0-9_]+\\b(?:\\{([^}]*)\\})?`, 'g')
  const metrics = new Map<string, Map<string, string[]>>()
  for (const [whole, inside = ''] of expr.matchAll(metric)) {
    const name = whole.replace(/\{.*/s, '')
    const labels = metrics.get(name) ?? new Map<string, string[]>()
    for (const [, label = '', , value = ''] of inside.matchAll(matcher))
      labels.set(label, [...(labels.get(label) ?? []), ...value.split('|').filter((one) => !one.includes('.*'))])
    metrics.set(name, labels)
  }
  const grouped = [...expr.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )
  return { metrics, grouped }
}

const found = spawnSync('promtool', ['--version']).status === 0
const missing = found ? undefined : 'no promtool: install the package prometheus (Debian), or put promtool on the path'
if (missing !== undefined) process.stderr.write(`\n*** THE RULES FOR PROMETHEUS ARE NOT TRIED: ${missing} ***\n\n`)

/** for the options of a test */
const noPromtool: string | false = missing ?? false

export const monitoringOf = ({ folder, service, variables }: MonitoringParts) => ({
  folder,
  noPromtool,
  readRules: () => rulesIn(folder),
  readDashboard: () => JSON.parse(readFileSync(`${folder}/grafana.json`, 'utf8')) as Dashboard,
  expressionsOf: (dashboard: Dashboard) => expressionsIn(dashboard, variables),
  namesIn: (expr: string) => namesOf(expr, service),
})
