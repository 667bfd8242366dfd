// The figures of any run: tables for the terminal, the same as Markdown, and JSON with every round.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'runs')
const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-')
const percent = (share) => (Number.isFinite(share) ? `${number(share * 100, 0)} %` : '-')

const columns = [
  ['', ({ about }) => about],
  ['requests/s', ({ perSecond }) => number(perSecond, 0)],
  ['CPU ms each', ({ ownMs }) => number(ownMs, 3)],
  ['others ms each', ({ othersMs }) => number(othersMs, 3)],
  ['p50 ms', ({ p50 }) => number(p50, 2)],
  ['p95 ms', ({ p95 }) => number(p95, 2)],
  ['p99 ms', ({ p99 }) => number(p99, 2)],
  ['answer kB', ({ bytes }) => number(bytes / 1000, 1)],
  ['calls each', ({ calls }) => number(calls, 2)],
  ['core busy', ({ busy }) => percent(busy)],
  ['others busy', ({ othersBusy }) => percent(othersBusy)],
  ['peak MiB', ({ peakMiB }) => number(peakMiB, 1)],
  // never rounded up to all
  ['success', ({ success }) => `${Math.floor(success * 10_000) / 100} %`],
]

function drawTable([head, ...rows]) {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i].length)))
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(head), line(rule), ...rows.map(line)]
}

const figuresTable = (results) =>
  drawTable([columns.map(([name]) => name), ...results.map((result) => columns.map(([, cell]) => cell(result)))])

/** as many digits as the figure is good for */
const figure = (value) => number(value, Math.abs(value) >= 100 ? 0 : 2)

function goalRow({ what, sign = '', bound, measured, byProcessor, unit = '', aside = '', isMet, why }) {
  if (why !== undefined) return [what, figure(bound), '-', '-', '-', 'NOT JUDGED', why]
  const shown = (value) => `${figure(value)}${unit && ` ${unit}`}`
  const pairs = measured.least === measured.most ? '-' : `${figure(measured.least)} to ${figure(measured.most)}`
  const processor = byProcessor ? figure(byProcessor.median) : '-'
  return [what, `${sign} ${shown(bound)}`, shown(measured.median), pairs, processor, isMet ? 'met' : 'MISSED', aside]
}

const goalsTable = (goals) =>
  drawTable([['Goal', 'promised', 'measured', 'pairs', 'by CPU', '', 'beside it'], ...goals.map(goalRow)])

const partOf = ({ tables, notes }) => [
  ...tables.flatMap(({ title, results }) => [`## ${title}`, '', ...figuresTable(results), '']),
  ...notes.flatMap((note) => [note, '']),
]

export function toMarkdown({ startedAt, tookSec, machine, load, figures }) {
  const { cpu, cores, memoryGiB, system, node, pinning, peers, loadBefore } = machine
  const versions = [`Node.js ${node}`, machine.generator, `nginx ${machine.nginx}`]
  return [
    `# Bench of ${startedAt}`,
    '',
    `- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}; pinning: ${pinning}; load before ${number(loadBefore, 1)}`,
    `- Versions: ${[...versions, ...Object.entries(peers).map((pair) => pair.join(' '))].join(', ')}`,
    `- Load: ${load.connections} connections, ${load.rounds} rounds of ${load.seconds} s each in turn; medians of rounds; ${tookSec} s in all`,
    '',
    ...figures.flatMap(partOf),
    '## Goals',
    '',
    ...goalsTable(figures.flatMap(({ goals }) => goals)),
    '',
  ].join('\n')
}

/** returns the paths without their ending */
export function save(report, markdown) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, report.startedAt.replaceAll(/[:.]/g, '-'))
  writeFileSync(`${path}.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${path}.md`, markdown)
  return path
}
