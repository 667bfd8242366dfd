// What the doctor found: problems with their cause and fix; what passed is behind a disclosure.
import { Badge, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Disclosure } from '../../../../../base/console/parts/disclosure.tsx'
import { type DoctorFinding, type FindingGroup, groupText, passedText, skippedText, sortGroups } from './grouping.ts'

const words = {
  ok: ['good', 'Passed'],
  warn: ['warn', 'Warning'],
  fail: ['bad', 'Failed'],
  skip: ['idle', 'Skipped'],
} as const

function Finding({ finding: { title, state, says, cause, cure } }: { readonly finding: DoctorFinding }) {
  const [tone, word] = words[state]
  return (
    <li class="health-finding">
      <Badge tone={tone}>{word}</Badge>
      <div>
        <p>
          <strong>
            <UntrustedText text={title} />
          </strong>{' '}
          <UntrustedText text={says} />
        </p>
        {cause && (
          <p class="soft">
            Cause: <UntrustedText text={cause} />
          </p>
        )}
        {cure && (
          <p>
            Fix: <UntrustedText text={cure} />
          </p>
        )}
      </div>
    </li>
  )
}

const List = ({ findings }: { readonly findings: readonly DoctorFinding[] }) => (
  <ul class="health-findings">
    {findings.map((finding) => (
      <Finding key={finding.id} finding={finding} />
    ))}
  </ul>
)

function Group({ group }: { readonly group: FindingGroup }) {
  const { connection, problems, passed, skipped } = group
  const summary = (
    <>
      <strong>{connection === null ? 'Installation' : <UntrustedText text={connection} />}</strong>{' '}
      <span class="soft">{groupText(group)}</span>
    </>
  )
  return (
    <Disclosure class="health-group" open={problems.length > 0} summary={summary}>
      {() => (
        <>
          {problems.length > 0 && <List findings={problems} />}
          {skipped.length > 0 && (
            <Disclosure summary={`${skipped.length} skipped`}>{() => <List findings={skipped} />}</Disclosure>
          )}
          {passed.length > 0 && (
            <Disclosure open={problems.length === 0} summary={`${passed.length} passed`}>
              {() => <List findings={passed} />}
            </Disclosure>
          )}
        </>
      )}
    </Disclosure>
  )
}

export function Findings({ findings }: { readonly findings: readonly DoctorFinding[] }) {
  const { shown, skipped, passed } = sortGroups(findings)
  const draw = (some: readonly FindingGroup[]) =>
    some.map((group) => <Group key={group.connection ?? ''} group={group} />)
  const fold = (some: readonly FindingGroup[], text: string) =>
    some.length > 0 && (
      <Disclosure class="health-group" summary={<strong>{text}</strong>}>
        {() => draw(some)}
      </Disclosure>
    )
  return (
    <div class="health-groups">
      {draw(shown)}
      {fold(skipped, skippedText(skipped.length))}
      {fold(passed, passedText(passed.length))}
    </div>
  )
}
