// The catalogue with its stamps, held against a vendor's document: for each route how it stands, and everything found; and
// the reads by which `vitrine doctor` tries the groups.
import type { Route } from '../catalogue/define.ts'
import type { Probes } from '../catalogue/probes.ts'
import { answerDifferences, lookupDifferences } from './answer.ts'
import { requestsOf } from './asked.ts'
import { compareVersions, type VendorDocument } from './document.ts'
import { type Bench, endpointDifferences } from './endpoint.ts'
import { classes, type Difference, type Finding, type ProbeFinding, type Severity, severityOf } from './finding.ts'
import { hasherOf } from './hash.ts'
import { reviewProbes } from './probes.ts'
import type { Reviewed, Standing } from './reviewed.ts'
import { viewsOf } from './schema.ts'

export interface Review {
  readonly document: Pick<VendorDocument, 'version' | 'openapi' | 'paths'>
  readonly routes: readonly Reviewed[]
  /** what is found of the probes, and of no route that reads the same */
  readonly probes: readonly ProbeFinding[]
  readonly totals: Readonly<Record<Severity, number>>
}

function routeDifferences(route: Route, bench: Bench): Difference[] {
  const { read, lookup } = requestsOf(route)
  const operation = bench.document.operation(read.endpoint)
  const listing = lookup && bench.document.operation(lookup.endpoint)
  const found = [
    ...(lookup ? endpointDifferences(lookup, bench, false) : []),
    ...(listing ? lookupDifferences(lookup, listing, bench.document, bench.view) : []),
    ...endpointDifferences(read, bench, true),
    ...(operation ? answerDifferences(route, operation, bench.document, bench.view) : []),
  ]
  // an older shape is deprecated: that is why it stands apart
  return route.group === 'legacy' ? found.filter(({ class: name }) => !name.endsWith('-deprecated')) : found
}

/** of what is not there, or is something else, nothing more can be said */
const hides = (one: Difference, at: string): boolean =>
  one.class === 'answer-changed' || ((one.class.endsWith('-gone') || one.class.endsWith('-changed')) && one.at === at)

/** what was written down is left out; what was written down and is none any more is told */
function withoutKnown({ differences = [] }: Route, found: readonly Difference[]): Difference[] {
  const isSame = (one: Difference, known: (typeof differences)[number]): boolean =>
    one.class === known.class && one.at === known.at && (one.theirs ?? one.ours ?? '') === known.what
  const stale = differences.filter((known) => !found.some((one) => isSame(one, known) || hides(one, known.at)))
  return [
    ...found.filter((one) => !differences.some((known) => isSame(one, known))),
    ...stale.map((known): Difference => ({ class: 'difference-gone', at: known.at, ours: known.class })),
  ]
}

function reviewRoute(route: Route, bench: Bench): Reviewed {
  const { number, operation, path, reviewed } = route
  const { read, lookup } = requestsOf(route)
  const isOlder = compareVersions(bench.document.version, reviewed.version) < 0
  const found = routeDifferences(route, bench)
  const isAbsent = found.some((one) => one.class === 'endpoint-absent')
  const hash = bench.hash([...(lookup ? [lookup.endpoint] : []), read.endpoint])
  // beside an endpoint that is not there, nothing else is worth telling
  const told = isAbsent ? found.filter((one) => one.class === 'endpoint-absent') : withoutKnown(route, found)
  const isAnother = !isAbsent && told.length === 0 && reviewed.hash !== undefined && hash !== reviewed.hash
  const all = isAnother ? [{ class: 'operation-changed', at: read.endpoint } as const] : told
  const findings = all.map((one): Finding => {
    const { about, cure } = classes[one.class]
    return { ...one, severity: severityOf(one.class, isOlder), number, operation, path, about, cure }
  })
  const standing = standingOf(findings, isAbsent, hash !== undefined && hash === reviewed.hash)
  return { route, standing, ...(hash !== undefined && { hash }), isOlder, findings }
}

function standingOf(findings: readonly Finding[], isAbsent: boolean, isSame: boolean): Standing {
  if (isAbsent && findings.every(({ severity }) => severity === 'absent')) return 'absent'
  if (findings.some(({ severity }) => severity !== 'note' && severity !== 'absent')) return 'drifted'
  return isSame ? 'unchanged' : 'as-reviewed'
}

export function review(routes: readonly Route[], document: VendorDocument, probes: Probes = {}): Review {
  const bench = { document, view: viewsOf(document), hash: hasherOf(document) }
  const reviewed = routes.map((route) => reviewRoute(route, bench))
  const totals = { break: 0, change: 0, addition: 0, absent: 0, note: 0 }
  const found = reviewProbes(probes, reviewed, bench)
  for (const { severity } of [...reviewed.flatMap(({ findings }) => findings), ...found]) totals[severity]++
  const { version, openapi, paths } = document
  return { document: { version, openapi, paths }, routes: reviewed, probes: found, totals }
}
