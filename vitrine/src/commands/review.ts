// `vitrine review`: compares the catalogue and its stamps with the vendor's OpenAPI document.
// Exit code 0: nothing to do; 1: drift; 2: an unusable document.
import { createReadStream } from 'node:fs'
import { routes as ours } from '../catalogue/index.ts'
import { probes } from '../catalogue/probes.ts'
import { counted } from '../../../base/core/plural.ts'
import { isDay } from '../../../base/core/day.ts'
import { redact } from '../../../base/core/redact.ts'
import { readDocument, UnreadableDocument } from '../review/document.ts'
import { fails, type Level, levels, type ProbeFinding, type ReviewedRoute } from '../review/finding.ts'
import { type Review, reviewRoutes as reviewAll } from '../review/review.ts'
import { UserError } from '../../../base/cli/user-error.ts'
import { printable, printJson, say } from '../../../base/cli/output.ts'
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
    throw new UserError(`cannot read the document: ${(error as Error).message}`, { cause: error })
  }
  if (bytes > mostBytes) throw new UnreadableDocument('the document is larger than 64 MiB, and no description is')
  return Buffer.concat(parts)
}

const jsonOf = ({ document, routes, probes, totals }: Review, stamping: Stamping | undefined) => ({
  document,
  summary: summaryOf({ routes, totals }),
  routes: routes.map(({ route: { number, operation, path, from, reviewed }, state: standing, hash }) => ({
    number,
    operation,
    path,
    endpoint: from.read,
    reviewed,
    hash: hash ?? null,
    standing,
  })),
  findings: [...routes.flatMap(({ findings }) => findings), ...probes],
  ...(stamping && { stamping }),
})

const summaryOf = ({ routes, totals }: Pick<Review, 'routes' | 'totals'>) => ({
  routes: routes.length,
  asReviewed: routes.filter(({ state: standing }) => standing === 'unchanged' || standing === 'as-reviewed').length,
  unchanged: routes.filter(({ state: standing }) => standing === 'unchanged').length,
  drifted: routes.filter(({ state: standing }) => standing === 'drifted').length,
  absent: routes.filter(({ state: standing }) => standing === 'absent').length,
  breaks: totals.break,
  changes: totals.change,
  additions: totals.addition,
  notes: totals.note,
})

type AnyFinding = ReviewedRoute['findings'][number] | ProbeFinding

const sides = ({ ours, theirs }: AnyFinding): string => {
  const said = [ours, theirs].filter((side) => side !== undefined)
  return said.length > 0 ? `: ${said.join(' -> ')}` : ''
}

function routeLines({ route, findings, isOlder }: ReviewedRoute): string[] {
  if (findings.length === 0) return []
  const { number, operation, path, reviewed } = route
  const older = isOlder ? `, reviewed against ${reviewed.version}` : ''
  return [`${number}. ${operation} ${path}${older}`, ...findings.flatMap(findingLines)]
}

const findingLines = (one: AnyFinding): string[] => [
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

/** only routes with findings, and a summary */
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
  if (!level) throw new UserError(`--fail-on is one of ${levels.join(', ')}, not "${failOn}"`)
  const day = date ?? new Date().toISOString().slice(0, 10)
  if (!day.startsWith('20') || !isDay(day)) throw new UserError(`--date is a day such as 2027-01-31, not "${day}"`)
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
    if (!(error instanceof UserError) && !(error instanceof UnreadableDocument)) throw error
    say(redact(`vitrine: ${error.message}`))
    process.exitCode = 2
  }
}
