// Compares the probes of `vitrine doctor` with the document. They have no stamps of their own: they are reviewed together
// with the routes of their group.
import type { Group, Route } from '../catalogue/define.ts'
import type { Probe, Probes } from '../catalogue/probes.ts'
import { answerSchema } from './answer.ts'
import type { ReviewedRequest } from './planned-requests.ts'
import { compareVersions } from './document.ts'
import { type ReviewContext, endpointDifferences } from './endpoint.ts'
import { classes, type Difference, type ProbeFinding, type ReviewedRoute, severityOf } from './finding.ts'

const cure = 'Change the probe of the group in src/catalogue/probes.ts.'

const requestOf = ({ read, query }: Probe): ReviewedRequest => ({
  endpoint: read,
  sent: Object.entries(query).map(([name, value]) => ({ name, values: value.split(','), isAlways: true })),
})

function answerDifferences({ read, mediaType = 'application/json' }: Probe, { document }: ReviewContext): Difference[] {
  const operation = document.operation(read)
  if (!operation || answerSchema(operation, mediaType, document) !== undefined) return []
  return [{ class: 'answer-changed', at: 'answer', ours: mediaType, theirs: 'none' }]
}

const withoutNames = (at: string): string => at.replaceAll(/\{[^{}]*\}/g, '{}')

/** A route that reads the same endpoint already reports it. */
const tells = ({ route, findings }: ReviewedRoute, { read }: Probe, found: Difference): boolean =>
  withoutNames(route.from.read) === withoutNames(read) &&
  findings.some((one) => one.class === found.class && withoutNames(one.at) === withoutNames(found.at))

const isBefore = (version: string, routes: readonly Route[]): boolean =>
  routes.length > 0 && routes.every(({ reviewed }) => compareVersions(version, reviewed.version) < 0)

function reviewProbe(
  group: Group,
  probe: Probe,
  reviewed: readonly ReviewedRoute[],
  bench: ReviewContext,
): ProbeFinding[] {
  const routes = reviewed.map(({ route }) => route).filter((route) => route.group === group)
  const isOlder = isBefore(bench.document.version, routes)
  return [...endpointDifferences(requestOf(probe), bench, false), ...answerDifferences(probe, bench)]
    .filter((one) => group !== 'legacy' || !one.class.endsWith('-deprecated'))
    .filter((one) => !reviewed.some((route) => tells(route, probe, one)))
    .map((one) => ({ ...one, severity: severityOf(one.class, isOlder), group, about: classes[one.class].about, cure }))
}

export const reviewProbes = (
  probes: Probes,
  reviewed: readonly ReviewedRoute[],
  bench: ReviewContext,
): ProbeFinding[] =>
  (Object.entries(probes) as [Group, Probe][]).flatMap(([group, probe]) => reviewProbe(group, probe, reviewed, bench))
