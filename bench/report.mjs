// The same figures three times: a table for the terminal, Markdown, and JSON with every round.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'results')
const columns = [
  '',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'answer kB',
  'MiB/s',
  'core busy',
  'others busy',
  'peak MiB',
  'failed',
]
const number = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-')
const percent = (share) => (Number.isFinite(share) ? `${number(share * 100, 0)} %` : '-')

const rowOf = ({ about, perSecond, p50, p99, bytes, mibPerSecond, busy, othersBusy, peakMiB, failures }) => [
  about,
  number(perSecond, 0),
  number(p50, 1),
  number(p99, 1),
  number(bytes / 1000, 1),
  number(mibPerSecond, 1),
  percent(busy),
  percent(othersBusy),
  number(peakMiB, 1),
  String(failures),
]

function drawTable(rows) {
  const widths = columns.map((_, i) => Math.max(3, ...rows.map((row) => row[i].length)))
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  const [head, ...rest] = rows
  return [head, rule, ...rest].map(line)
}

const sentence = ({ name, median, least, most }) =>
  `**${name}: ${number(median, 2)}** (pairs from ${number(least, 2)} to ${number(most, 2)})`

const partOf = ({ about, subjects, ratios }) => [
  `## ${about}`,
  '',
  ...drawTable([columns, ...subjects.map(rowOf)]),
  '',
  ...ratios.flatMap((ratio) => [sentence(ratio), '']),
]

export function toMarkdown({ startedAt, machine, load, figures }) {
  const { cpu, cores, memoryGiB, system, node, pinning } = machine
  return [
    `# Bench of ${startedAt}`,
    '',
    `- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}; pinning: ${pinning}`,
    `- Versions: ${[`Node.js ${node}`, ...Object.entries(machine.peers).map((pair) => pair.join(' '))].join(', ')}`,
    `- Load: ${load.connections} connections, ${load.rounds} rounds of ${load.seconds} s each in turn; medians of rounds`,
    '',
    ...figures.flatMap(partOf),
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
