// What the doctor has found: what is ill with its cause and its cure, and what is well behind a fold.
import { counted } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Fold } from '../../parts/fold.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { type Finding, type Group, sayGroup, sayUntried, sayWell, sortGroups } from './grouping.ts'

const words = {
  ok: ['good', 'Well'],
  warn: ['warn', 'See to it'],
  fail: ['bad', 'Failed'],
  skip: ['idle', 'Not tried'],
} as const

function Found({ finding: { title, state, says, cause, cure } }: { readonly finding: Finding }) {
  const [tone, word] = words[state]
  return (
    <li class="health-finding">
      <Badge tone={tone}>{word}</Badge>
      <div>
        <p>
          <strong>
            <Foreign text={title} />
          </strong>{' '}
          <Foreign text={says} />
        </p>
        {cause && (
          <p class="soft">
            Cause: <Foreign text={cause} />
          </p>
        )}
        {cure && (
          <p>
            Cure: <Foreign text={cure} />
          </p>
        )}
      </div>
    </li>
  )
}

const List = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul class="health-findings">
    {findings.map((finding) => (
      <Found key={finding.id} finding={finding} />
    ))}
  </ul>
)

function GroupFold({ group }: { readonly group: Group }) {
  const { connection, ill, well, untried } = group
  const summary = (
    <>
      <strong>{connection === null ? 'Installation' : <Foreign text={connection} />}</strong>{' '}
      <span class="soft">{sayGroup(group)}</span>
    </>
  )
  return (
    <Fold class="health-group" open={ill.length > 0} summary={summary}>
      {() => (
        <>
          {ill.length > 0 && <List findings={ill} />}
          {untried.length > 0 && (
            <Fold summary={`${untried.length} not tried`}>{() => <List findings={untried} />}</Fold>
          )}
          {well.length > 0 && (
            <Fold open={ill.length === 0} summary={`${counted(well.length, 'is', 'are')} well`}>
              {() => <List findings={well} />}
            </Fold>
          )}
        </>
      )}
    </Fold>
  )
}

const keyOf = ({ connection }: Group): string => connection ?? ''

export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const { shown, untried, well } = sortGroups(findings)
  const draw = (some: readonly Group[]) => some.map((group) => <GroupFold key={keyOf(group)} group={group} />)
  const fold = (some: readonly Group[], says: string) =>
    some.length > 0 && (
      <Fold class="health-group" summary={<strong>{says}</strong>}>
        {() => draw(some)}
      </Fold>
    )
  return (
    <div class="health-groups">
      {draw(shown)}
      {fold(untried, sayUntried(untried.length))}
      {fold(well, sayWell(well.length))}
    </div>
  )
}
