// The doctor's findings by what they are about: the installation, then each connection; problems first.
import type { Examination } from '../../answers.ts'
import { counted, whole } from '../../../../../base/console/format.ts'

export type DoctorFinding = Examination['findings'][number]

export interface FindingGroup {
  /** null: the installation */
  readonly connection: string | null
  readonly problems: readonly DoctorFinding[]
  readonly passed: readonly DoctorFinding[]
  readonly skipped: readonly DoctorFinding[]
}

const ranks = { fail: 0, warn: 1, ok: 2, skip: 3 } as const
const rankOf = ({ problems }: FindingGroup): number => Math.min(2, ...problems.map(({ state }) => ranks[state]))

function groupOf(connection: string | null, findings: readonly DoctorFinding[]): FindingGroup {
  const problems = findings.filter(({ state }) => state === 'fail' || state === 'warn')
  return {
    connection,
    problems: problems.toSorted((a, b) => ranks[a.state] - ranks[b.state]),
    passed: findings.filter(({ state }) => state === 'ok'),
    skipped: findings.filter(({ state }) => state === 'skip'),
  }
}

/** the installation first among equals, and the rest in the doctor's order */
function groupsOf(findings: readonly DoctorFinding[]): FindingGroup[] {
  const groups = [...Map.groupBy(findings, ({ connection }) => connection)].map(([of, its]) => groupOf(of, its))
  return groups.sort((a, b) => rankOf(a) - rankOf(b) || Number(b.connection === null) - Number(a.connection === null))
}

export const countsText = ({ ok, warn, fail, skip }: Readonly<Record<DoctorFinding['state'], number>>): string =>
  [
    fail > 0 && `${whole(fail)} failed`,
    warn > 0 && counted(warn, 'warning'),
    ok > 0 && `${whole(ok)} passed`,
    skip > 0 && `${whole(skip)} skipped`,
  ]
    .filter(Boolean)
    .join(', ') || 'no results yet'

export function groupText({ problems, passed, skipped }: FindingGroup): string {
  const fail = problems.filter(({ state }) => state === 'fail').length
  return countsText({ fail, warn: problems.length - fail, ok: passed.length, skip: skipped.length })
}

export function sortGroups(findings: readonly DoctorFinding[]) {
  const groups = groupsOf(findings)
  const isShown = ({ connection, problems }: FindingGroup) => connection === null || problems.length > 0
  const rest = groups.filter((group) => !isShown(group))
  return {
    /** the installation, and connections with a problem */
    shown: groups.filter(isShown),
    /** connections that were not checked in full: they may have a problem */
    skipped: rest.filter(({ skipped }) => skipped.length > 0),
    passed: rest.filter(({ skipped }) => skipped.length === 0),
  }
}

export const passedText = (count: number): string => counted(count, 'connection passed', 'connections passed')
export const skippedText = (count: number): string =>
  counted(
    count,
    'connection has no problems but was not fully checked',
    'connections have no problems but were not fully checked',
  )
