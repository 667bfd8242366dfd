// The reads by which `vitrine doctor` tries the groups, held against the document as those of the routes are. They carry no
// stamps: they were looked at together with the routes of their group.
import type { Group, Route } from '../catalogue/define.ts'
import type { Probe, Probes } from '../catalogue/probes.ts'
import { answerSchema } from './answer.ts'
import type { Request } from './asked.ts'
import { compareVersions } from './document.ts'
import { type Bench, endpointDifferences } from './endpoint.ts'
import { classes, type Difference, type ProbeFinding, severityOf } from './finding.ts'
import type { Reviewed } from './reviewed.ts'

const cure = 'Let src/catalogue/probes.ts try the group in another way.'

const requestOf = ({ read, query }: Probe): Request => ({
  endpoint: read,
  sent: Object.entries(query).map(([name, value]) => ({ name, values: value.split(','), isAlways: true })),
})

function answerDifferences({ read, mediaType = 'application/json' }: Probe, { document }: Bench): Difference[] {
  const operation = document.operation(read)
  if (!operation || answerSchema(operation, mediaType, document) !== undefined) return []
  return [{ class: 'answer-changed', at: 'answer', ours: mediaType, theirs: 'none' }]
}

const withoutNames = (at: string): string => at.replaceAll(/\{[^{}]*\}/g, '{}')

/** a route that reads the same endpoint tells it, and is what has to be mended first */
const tells = ({ route, findings }: Reviewed, { read }: Probe, found: Difference): boolean =>
  withoutNames(route.from.read) === withoutNames(read) &&
  findings.some((one) => one.class === found.class && withoutNames(one.at) === withoutNames(found.at))

/** whether the document is older than every review of the group */
const isBefore = (version: string, routes: readonly Route[]): boolean =>
  routes.length > 0 && routes.every(({ reviewed }) => compareVersions(version, reviewed.version) < 0)

function reviewProbe(group: Group, probe: Probe, reviewed: readonly Reviewed[], bench: Bench): ProbeFinding[] {
  const routes = reviewed.map(({ route }) => route).filter((route) => route.group === group)
  const isOlder = isBefore(bench.document.version, routes)
  return [...endpointDifferences(requestOf(probe), bench, false), ...answerDifferences(probe, bench)]
    .filter((one) => group !== 'legacy' || !one.class.endsWith('-deprecated'))
    .filter((one) => !reviewed.some((route) => tells(route, probe, one)))
    .map((one) => ({ ...one, severity: severityOf(one.class, isOlder), group, about: classes[one.class].about, cure }))
}

export const reviewProbes = (probes: Probes, reviewed: readonly Reviewed[], bench: Bench): ProbeFinding[] =>
  (Object.entries(probes) as [Group, Probe][]).flatMap(([group, probe]) => reviewProbe(group, probe, reviewed, bench))
