// One entry of the audit log, and links to what it is about.
import type { ComponentChildren } from 'preact'
import type { AuditLine } from '../../answers.ts'
import { Badge, Fact, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Button, Copy, Link } from '../../../../../base/console/parts/controls.tsx'
import { Panel } from '../../../../../base/console/parts/panel.tsx'
import { exactTime } from '../../../../../base/console/format.ts'
import { wordsOf } from './actions.ts'
import { detailText } from './columns.tsx'
import type { AuditFilter } from './filter.ts'

interface TextFactProps {
  readonly name: string
  readonly text: string | null
  readonly only?: () => void
  readonly copies?: boolean
  readonly children?: ComponentChildren
}

function TextFact({ name, text, only, copies = false, children }: TextFactProps) {
  return (
    <Fact name={name}>
      {text === null ? <span class="soft">none</span> : <UntrustedText mono text={text} />} {children}
      {text !== null && only && (
        <Button kind="quiet" onClick={only} aria-label={`Filter by this ${name.toLowerCase()}`}>
          Filter by this
        </Button>
      )}
      {text !== null && copies && <Copy text={() => text} />}
    </Fact>
  )
}

function targetPage({ act, target }: AuditLine): string | undefined {
  if (target === null) return undefined
  if (act.startsWith('keys.')) return '/keys'
  return /^(connections\.|read$|plan$)/.test(act) ? '/connections' : undefined
}

const keyIn = (who: string): string | undefined => /^key:([0-9A-Za-z]{12})$/.exec(who)?.[1]

interface EntryPanelProps {
  readonly line: AuditLine
  readonly only: (part: Partial<AuditFilter>) => void
  readonly onClose: () => void
}

export function EntryPanel({ line, only, onClose }: EntryPanelProps) {
  const { seq, at, who, act, target, from, requestId, outcome, hash } = line
  const details = Object.entries(line.details)
  const page = targetPage(line)
  const key = keyIn(who)
  return (
    <Panel title={`Entry ${seq}`} onClose={onClose}>
      <div class="audit-entry">
        <p>
          <Badge tone={outcome === 'denied' ? 'bad' : 'good'}>{outcome}</Badge> <span>{wordsOf(act)}</span>
        </p>
        <dl class="facts">
          <Fact name="When">
            <time dateTime={at}>{exactTime(at)}</time>
            <br />
            <span class="soft mono">{at}</span>
          </Fact>
          <TextFact name="Action" text={act} only={() => only({ act })} />
          <TextFact name="Target" text={target} only={() => only({ target: target ?? '' })}>
            {page && (
              <Link to={page} names={{ id: target ?? '' }}>
                Open
              </Link>
            )}
          </TextFact>
          <TextFact name="Who" text={who} only={() => only({ who })}>
            {key && (
              <Link to="/keys" names={{ id: key }}>
                Open key
              </Link>
            )}
          </TextFact>
          <TextFact name="From" text={from} />
          <TextFact name="Request ID" text={requestId} copies />
        </dl>
        <h3>Details</h3>
        {details.length === 0 ? (
          <p class="soft">No details.</p>
        ) : (
          <dl class="facts">
            {details.map(([name, value]) => (
              <Fact key={name} name={<UntrustedText text={name} />}>
                <span class={value === null ? 'soft' : 'mono'}>{detailText(value)}</span>
              </Fact>
            ))}
          </dl>
        )}
        <h3>Hash chain</h3>
        <dl class="facts">
          <TextFact name="Hash" text={hash} copies />
        </dl>
        <p class="hint">
          The hash covers this entry and the one before it. <code>vitrine audit --verify</code> finds the first entry
          that was edited.
        </p>
      </div>
    </Panel>
  )
}
