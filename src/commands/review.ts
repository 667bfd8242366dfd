// `vitrine review`: the catalogue and its stamps against a vendor's OpenAPI file. Exit code 0 is nothing to do, 1 is
// drift, and 2 is a document that cannot be judged.
import { createReadStream } from 'node:fs'
import { routes as ours } from '../catalogue/index.ts'
import { probes } from '../catalogue/probes.ts'
import { counted } from '../counted.ts'
import { isDay } from '../day.ts'
import { redact } from '../redact.ts'
import { readDocument, Unreadable } from '../review/document.ts'
import { fails, type Finding, type Level, levels, type ProbeFinding } from '../review/finding.ts'
import { type Review, review as reviewAll } from '../review/review.ts'
import type { Reviewed } from '../review/reviewed.ts'
import { Complaint } from './complaint.ts'
import { printable, printJson, say } from './output.ts'
import { ownCatalogue, type Stamping, writeStamps } from './review-stamps.ts'

export interface ReviewOptions {
  readonly failOn: string
  readonly json: boolean
  readonly stamp: boolean
  readonly date?: string
}

const mostBytes = 64 * 1024 * 1024

async function readAll(file: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of file === '-' ? process.stdin : createReadStream(file)) {
      parts.push(part as Uint8Array)
      bytes += (part as Uint8Array).length
      if (bytes > mostBytes) break
    }
  } catch (error) {
    throw new Complaint(`cannot read the document: ${(error as Error).message}`, { cause: error })
  }
  if (bytes > mostBytes) throw new Unreadable('the document is larger than 64 MiB, and no description is')
  return Buffer.concat(parts)
}

const jsonOf = ({ document, routes, probes, totals }: Review, stamping: Stamping | undefined) => ({
  document,
  summary: summaryOf({ routes, totals }),
  routes: routes.map(({ route: { number, operation, path, from, reviewed }, standing, hash }) => ({
    ...{ number, operation, path, endpoint: from.read, reviewed, hash: hash ?? null, standing },
  })),
  findings: [...routes.flatMap(({ findings }) => findings), ...probes],
  ...(stamping && { stamping }),
})

const summaryOf = ({ routes, totals }: Pick<Review, 'routes' | 'totals'>) => ({
  routes: routes.length,
  asReviewed: routes.filter(({ standing }) => standing === 'unchanged' || standing === 'as-reviewed').length,
  unchanged: routes.filter(({ standing }) => standing === 'unchanged').length,
  drifted: routes.filter(({ standing }) => standing === 'drifted').length,
  absent: routes.filter(({ standing }) => standing === 'absent').length,
  ...{ breaks: totals.break, changes: totals.change, additions: totals.addition, notes: totals.note },
})

type Told = Finding | ProbeFinding

const sides = ({ ours, theirs }: Told): string => {
  const said = [ours, theirs].filter((side) => side !== undefined)
  return said.length > 0 ? `: ${said.join(' -> ')}` : ''
}

function routeLines({ route, findings, isOlder }: Reviewed): string[] {
  if (findings.length === 0) return []
  const { number, operation, path, reviewed } = route
  const older = isOlder ? `, reviewed against ${reviewed.version}` : ''
  return [`${number}. ${operation} ${path}${older}`, ...findings.flatMap(findingLines)]
}

const findingLines = (one: Told): string[] => [
  `   ${one.severity.padEnd(8)}  ${one.class}  ${one.at}${sides(one)}`,
  ...(one.severity === 'absent' ? [] : [`             ${one.about} ${one.cure}`]),
]

const probeLines = (one: ProbeFinding): string[] => [
  `The read by which vitrine doctor tries the group ${one.group}`,
  ...findingLines(one),
]

function lastLine(review: Review): string {
  const { routes, asReviewed, unchanged, drifted, absent, ...n } = summaryOf(review)
  const parts = [
    `${asReviewed} as reviewed${unchanged > 0 ? ` (${unchanged} unchanged since)` : ''}`,
    ...(drifted > 0 ? [`${drifted} drifted`] : []),
    `${absent} not in this document`,
  ]
  const found = [counted(n.breaks, 'break'), counted(n.changes, 'change'), counted(n.additions, 'addition')]
  return `${counted(routes, 'route')}: ${parts.join(', ')}; ${found.join(', ')}`
}

/** what a person reads: only routes that something is to be said of, and the sum */
export const linesOf = (review: Review): string[] => [
  `The vendor's document ${review.document.version}, with ${review.document.paths} endpoints`,
  ...review.routes.flatMap(routeLines),
  ...review.probes.flatMap(probeLines),
  lastLine(review),
]

function sayStamping({ stamped, left }: Stamping) {
  for (const { operation, why } of left) say(`${operation} is not stamped: ${why}`)
  say(`${counted(stamped.length, 'route')} stamped. Now: npm run derive`)
}

function readOptions({ failOn, date }: ReviewOptions): { level: Level; day: string } {
  const level = levels.find((one) => one === failOn)
  if (!level) throw new Complaint(`--fail-on is one of ${levels.join(', ')}, not "${failOn}"`)
  const day = date ?? new Date().toISOString().slice(0, 10)
  if (!day.startsWith('20') || !isDay(day)) throw new Complaint(`--date is a day such as 2027-01-31, not "${day}"`)
  return { level, day }
}

async function judge(file: string, options: ReviewOptions): Promise<number> {
  const { level, day } = readOptions(options)
  const found = reviewAll(ours, readDocument(await readAll(file)), probes)
  const stamping = options.stamp ? writeStamps(found, day, ownCatalogue) : undefined
  if (options.json || !process.stdout.isTTY) printJson(jsonOf(found, stamping))
  else process.stdout.write(`${linesOf(found).map(printable).join('\n')}\n`)
  if (stamping) sayStamping(stamping)
  return fails([...found.routes.flatMap(({ findings }) => findings), ...found.probes], level) ? 1 : 0
}

export async function review(file: string, options: ReviewOptions) {
  try {
    process.exitCode = await judge(file, options)
  } catch (error) {
    if (!(error instanceof Complaint) && !(error instanceof Unreadable)) throw error
    say(redact(`vitrine: ${error.message}`))
    process.exitCode = 2
  }
}
