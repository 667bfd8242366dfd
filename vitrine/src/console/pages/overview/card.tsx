// One connection at a glance. Its signal is its own: a change draws this card alone.
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Card } from '../../answers.ts'
import { stateOf } from '../../connection-state.ts'
import { counted, share, whole } from '../../../../../base/console/format.ts'
import { Badge, plainText, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Gauge } from '../../../../../base/console/parts/gauge.tsx'
import { Link } from '../../../../../base/console/parts/controls.tsx'
import { Sparkline } from '../../../../../base/console/parts/sparkline.tsx'

/** what the bars of the last hour show */
export function hourText({ perMinute, hour }: Card): string {
  const most = whole(Math.max(0, ...perMinute.calls))
  return `${counted(hour.calls, 'call')} in the last hour, ${whole(hour.errors)} failed; ${most} in the busiest minute`
}

function Hour({ card }: { readonly card: Card }) {
  const { perMinute, hour } = card
  return (
    <div class="overview-hour">
      <Sparkline all={perMinute.calls} failed={perMinute.errors} summary={hourText(card)} />
      <p>
        <span class="number">{counted(hour.calls, 'call')}</span>
        <span class={hour.errors > 0 ? 'fault number' : 'soft number'}>{whole(hour.errors)} failed</span>
        <span class="soft">last hour</span>
      </p>
    </div>
  )
}

function SavedCalls({ hour: { calls, shared, cacheHits } }: Pick<Card, 'hour'>) {
  const saved = shared + cacheHits
  if (saved === 0) return <span class="soft">none</span>
  return (
    <span title={`${whole(cacheHits)} from the cache, ${whole(shared)} shared with a call in progress`}>
      {whole(saved)} <span class="soft">({share(saved, saved + calls)})</span>
    </span>
  )
}

function UnknownFields({ count }: { readonly count: number }) {
  if (count === 0) return <span class="soft">none</span>
  return (
    <span title="Fields in the platform's responses that this version does not know. They are left out of answers.">
      {whole(count)} unknown
    </span>
  )
}

interface BoxedFactsProps {
  readonly class?: string
  readonly label?: string
  readonly of: Readonly<Record<string, ComponentChildren>>
}

/** each in a box of its own: its name, and below it its value */
export const BoxedFacts = ({ class: className, label, of }: BoxedFactsProps) => (
  <dl class={className} aria-label={label}>
    {Object.entries(of).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const breakers = { closed: 'closed', open: 'open', 'half-open': 'half open' } as const

function Facts({ card: { status, hour } }: { readonly card: Card }) {
  const failure = status?.lastFailure
  const facts = {
    'Last success': <RelativeTime iso={status?.lastAnswerAt} />,
    'Last failure': (
      <>
        <RelativeTime iso={failure?.at} />
        {failure && (
          <span class="mono overview-code" title={plainText(failure.code)}>
            <UntrustedText text={failure.code} />
          </span>
        )}
      </>
    ),
    'Calls saved': <SavedCalls hour={hour} />,
    Breaker: status ? breakers[status.breaker] : <span class="soft">not used</span>,
    Drift: <UnknownFields count={hour.drift} />,
  }
  return <BoxedFacts class="overview-facts" of={facts} />
}

export function CardBody({ its }: { readonly its: Signal<Card> }) {
  const card = its.value
  const { id, status } = card
  const { word, tone, sentence } = stateOf(card)
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      <p class="overview-state">{sentence}</p>
      <div class="overview-quota">
        <Gauge name="Hour" of="Quota left" window={status?.quota.hour ?? null} />
        <Gauge name="Minute" of="Quota left" window={status?.quota.minute ?? null} />
      </div>
      <Hour card={card} />
      <Facts card={card} />
      <p class="overview-links">
        <Link to="/explorer" names={{ connection: id }} aria-label={`Explore ${id}`}>
          Explore
        </Link>
        <Link to="/connections" names={{ id }} aria-label={`Connection ${id}`}>
          Connection
        </Link>
        <span class="soft">{card.kind}</span>
      </p>
    </>
  )
}
