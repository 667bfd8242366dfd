// Compares the catalogue and the doctor's probes with the vendor's document, and reports for each route its state and all
// findings.
import type { Route } from '../catalogue/define.ts'
import type { Probes } from '../catalogue/probes.ts'
import { answerDifferences, lookupDifferences } from './answer.ts'
import { plannedRequests } from './planned-requests.ts'
import { compareVersions, type VendorDocument } from './document.ts'
import { type ReviewContext, endpointDifferences } from './endpoint.ts'
import type { Difference, ProbeFinding, ReviewedRoute, RouteFinding, RouteState, Severity } from './finding.ts'
import { classes, severityOf } from './finding.ts'
import { hasherOf } from './hash.ts'
import { reviewProbes } from './probes.ts'
import { createSchemaView } from './schema.ts'

export interface Review {
  readonly document: Pick<VendorDocument, 'version' | 'openapi' | 'paths'>
  readonly routes: readonly ReviewedRoute[]
  /** findings of probes that no route reports */
  readonly probes: readonly ProbeFinding[]
  readonly totals: Readonly<Record<Severity, number>>
}

function routeDifferences(route: Route, bench: ReviewContext): Difference[] {
  const { read, lookup } = plannedRequests(route)
  const operation = bench.document.operation(read.endpoint)
  const listing = lookup && bench.document.operation(lookup.endpoint)
  const found = [
    ...(lookup ? endpointDifferences(lookup, bench, false) : []),
    ...(listing ? lookupDifferences(lookup, listing, bench) : []),
    ...endpointDifferences(read, bench, true),
    ...(operation ? answerDifferences(route, operation, bench) : []),
  ]
  // legacy routes read endpoints that are deprecated
  return route.group === 'legacy' ? found.filter(({ class: name }) => !name.endsWith('-deprecated')) : found
}

/** A missing or changed part hides differences below it. */
const hides = (one: Difference, at: string): boolean =>
  one.class === 'answer-changed' || ((one.class.endsWith('-gone') || one.class.endsWith('-changed')) && one.at === at)

/** Removes known differences, and reports those that no longer exist. */
function withoutKnown({ differences = [] }: Route, found: readonly Difference[]): Difference[] {
  const isSame = (one: Difference, known: (typeof differences)[number]): boolean =>
    one.class === known.class && one.at === known.at && (one.theirs ?? one.ours ?? '') === known.what
  const stale = differences.filter((known) => !found.some((one) => isSame(one, known) || hides(one, known.at)))
  return [
    ...found.filter((one) => !differences.some((known) => isSame(one, known))),
    ...stale.map((known): Difference => ({ class: 'difference-gone', at: known.at, ours: known.class })),
  ]
}

function reviewRoute(route: Route, bench: ReviewContext): ReviewedRoute {
  const { number, operation, path, reviewed } = route
  const { read, lookup } = plannedRequests(route)
  const isOlder = compareVersions(bench.document.version, reviewed.version) < 0
  const found = routeDifferences(route, bench)
  const isAbsent = found.some((one) => one.class === 'endpoint-absent')
  const hash = bench.hash([...(lookup ? [lookup.endpoint] : []), read.endpoint])
  // a missing endpoint is the only finding
  const reported = isAbsent ? found.filter((one) => one.class === 'endpoint-absent') : withoutKnown(route, found)
  const isAnother = !isAbsent && reported.length === 0 && reviewed.hash !== undefined && hash !== reviewed.hash
  const all = isAnother ? [{ class: 'operation-changed', at: read.endpoint } as const] : reported
  const findings = all.map((one): RouteFinding => {
    const { about, cure } = classes[one.class]
    return { ...one, severity: severityOf(one.class, isOlder), number, operation, path, about, cure }
  })
  const standing = standingOf(findings, isAbsent, hash !== undefined && hash === reviewed.hash)
  return { route, state: standing, ...(hash !== undefined && { hash }), isOlder, findings }
}

function standingOf(findings: readonly RouteFinding[], isAbsent: boolean, isSame: boolean): RouteState {
  if (isAbsent && findings.every(({ severity }) => severity === 'absent')) return 'absent'
  if (findings.some(({ severity }) => severity !== 'note' && severity !== 'absent')) return 'drifted'
  return isSame ? 'unchanged' : 'as-reviewed'
}

export function reviewRoutes(routes: readonly Route[], document: VendorDocument, probes: Probes = {}): Review {
  const bench = { document, view: createSchemaView(document), hash: hasherOf(document) }
  const reviewed = routes.map((route) => reviewRoute(route, bench))
  const totals = { break: 0, change: 0, addition: 0, absent: 0, note: 0 }
  const found = reviewProbes(probes, reviewed, bench)
  for (const { severity } of [...reviewed.flatMap(({ findings }) => findings), ...found]) totals[severity]++
  const { version, openapi, paths } = document
  return { document: { version, openapi, paths }, routes: reviewed, probes: found, totals }
}
