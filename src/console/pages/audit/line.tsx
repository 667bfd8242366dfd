// One line of the audit, whole: names, numbers and codes, and where to look further.
import type { ComponentChildren } from 'preact'
import type { AuditLine } from '../../answers.ts'
import { wholeMoment } from '../../moments.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { wordsOf } from './acts.ts'
import { sayFact } from './columns.tsx'
import type { Filter } from './filter.ts'

type Only = (part: Partial<Filter>) => void

interface FactProps {
  readonly name: string
  readonly text: string | null
  /** narrows the audit to those like it */
  readonly only?: (() => void) | undefined
  readonly copies?: boolean
  readonly children?: ComponentChildren
}

function Fact({ name, text, only, copies = false, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {text === null ? (
          <span class="soft">none</span>
        ) : (
          <span class="mono">
            <Foreign text={text} />
          </span>
        )}{' '}
        {children}
        {text !== null && only && (
          <Button kind="quiet" onClick={only} aria-label={`Only these: ${name.toLowerCase()}`}>
            Only these
          </Button>
        )}
        {text !== null && copies && <Copy text={() => text} />}
      </dd>
    </>
  )
}

/** where what was acted on can be seen */
function pageOf({ act, target }: AuditLine): ComponentChildren {
  if (target === null) return null
  const page = act.startsWith('keys.') ? '/keys' : /^(connections\.|read$|plan$)/.test(act) ? '/connections' : undefined
  return (
    page && (
      <Link to={page} names={{ id: target }}>
        Show it
      </Link>
    )
  )
}

const keyIn = (who: string): string | undefined => /^key:([0-9A-Za-z]{12})$/.exec(who)?.[1]

function Who({ line: { who }, only }: { readonly line: AuditLine; readonly only: Only }) {
  const key = keyIn(who)
  return (
    <Fact name="Who" text={who} only={() => only({ who })}>
      {key && (
        <Link to="/keys" names={{ id: key }}>
          Show the key
        </Link>
      )}
    </Fact>
  )
}

function Details({ line: { details } }: { readonly line: AuditLine }) {
  const facts = Object.entries(details)
  if (facts.length === 0) return <p class="soft">It has no details.</p>
  return (
    <dl class="facts audit-details">
      {facts.map(([name, value]) => (
        <>
          <dt>
            <Foreign text={name} />
          </dt>
          <dd class={value === null ? 'soft' : 'mono'}>{sayFact(value)}</dd>
        </>
      ))}
    </dl>
  )
}

interface LineProps {
  readonly line: AuditLine
  readonly only: Only
  readonly onClose: () => void
}

export function Line({ line, only, onClose }: LineProps) {
  const { seq, at, act, target, from, requestId, outcome, hash } = line
  const words = wordsOf(act)
  return (
    <Panel title={`Line ${seq}`} onClose={onClose}>
      <div class="audit-line">
        <p>
          <Badge tone={outcome === 'denied' ? 'bad' : 'good'}>{outcome}</Badge> <span>{words}</span>
        </p>
        <dl class="facts">
          <dt>When</dt>
          <dd>
            <time dateTime={at}>{wholeMoment(at)}</time>
            <br />
            <span class="soft mono">{at}</span>
          </dd>
          <Fact name="Act" text={act} only={() => only({ act })} />
          <Fact name="Target" text={target} only={target === null ? undefined : () => only({ target })}>
            {pageOf(line)}
          </Fact>
          <Who line={line} only={only} />
          <Fact name="From" text={from} />
          <Fact name="Request id" text={requestId} copies />
        </dl>
        <h3>Details</h3>
        <Details line={line} />
        <h3>Chain</h3>
        <dl class="facts">
          <Fact name="Hash" text={hash} copies />
        </dl>
        <p class="hint">
          It covers this line and the one before it. <code>vitrine audit --verify</code> finds the first that was
          edited.
        </p>
      </div>
    </Panel>
  )
}
