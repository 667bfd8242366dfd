// The doctor's findings by what they are of: the installation, then each connection; what is ill before what is well.
import type { Examination } from '../../answers.ts'
import { counted, whole } from '../../numbers.ts'

export type Finding = Examination['findings'][number]

export interface Group {
  /** null: the installation */
  readonly connection: string | null
  readonly ill: readonly Finding[]
  readonly well: readonly Finding[]
  readonly untried: readonly Finding[]
}

const ranks = { fail: 0, warn: 1, ok: 2, skip: 3 } as const
const rankOf = ({ ill }: Group): number => Math.min(2, ...ill.map(({ state }) => ranks[state]))

function groupOf(connection: string | null, findings: readonly Finding[]): Group {
  const ill = findings.filter(({ state }) => state === 'fail' || state === 'warn')
  return {
    connection,
    ill: ill.toSorted((a, b) => ranks[a.state] - ranks[b.state]),
    well: findings.filter(({ state }) => state === 'ok'),
    untried: findings.filter(({ state }) => state === 'skip'),
  }
}

/** the installation first among equals, and the rest as the doctor had them */
function groupsOf(findings: readonly Finding[]): Group[] {
  const groups = [...Map.groupBy(findings, ({ connection }) => connection)].map(([of, its]) => groupOf(of, its))
  return groups.sort((a, b) => rankOf(a) - rankOf(b) || Number(b.connection === null) - Number(a.connection === null))
}

export const sayCounts = ({ ok, warn, fail, skip }: Readonly<Record<Finding['state'], number>>): string =>
  [
    fail > 0 && `${whole(fail)} failed`,
    warn > 0 && `${whole(warn)} to see to`,
    ok > 0 && `${whole(ok)} well`,
    skip > 0 && `${whole(skip)} not tried`,
  ]
    .filter(Boolean)
    .join(', ') || 'nothing yet'

export const sayGroup = ({ ill, well, untried }: Group): string =>
  sayCounts({
    fail: ill.filter(({ state }) => state === 'fail').length,
    warn: ill.filter(({ state }) => state === 'warn').length,
    ok: well.length,
    skip: untried.length,
  })

interface Sorted {
  /** the installation, and connections with something ill */
  readonly shown: readonly Group[]
  /** connections of which not all could be tried: nobody knows that they are well */
  readonly untried: readonly Group[]
  readonly well: readonly Group[]
}

export function sortGroups(findings: readonly Finding[]): Sorted {
  const groups = groupsOf(findings)
  const isShown = ({ connection, ill }: Group) => connection === null || ill.length > 0
  const rest = groups.filter((group) => !isShown(group))
  return {
    shown: groups.filter(isShown),
    untried: rest.filter(({ untried }) => untried.length > 0),
    well: rest.filter(({ untried }) => untried.length === 0),
  }
}

export const sayWell = (number: number): string => counted(number, 'connection is well', 'connections are well')
export const sayUntried = (number: number): string =>
  counted(
    number,
    'connection has nothing ill, and was not tried in full',
    'connections have nothing ill, and were not tried in full',
  )
