// One connection at a glance. Its signal is its own: it is drawn anew when its numbers change, and no other card is.
import type { Signal } from '@preact/signals'
import type { Card } from '../../answers.ts'
import { counted, share, whole } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Foreign, plainText } from '../../parts/foreign.tsx'
import { Gauge } from '../../parts/gauge.tsx'
import { Link } from '../../parts/link.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Spark } from '../../parts/spark.tsx'
import { standingOf } from '../../standing.ts'
import { Fact } from './fact.tsx'

function Hour({ card: { perMinute, hour } }: { readonly card: Card }) {
  const most = Math.max(0, ...perMinute.calls)
  const sums = `${counted(hour.calls, 'call')} in the last hour, ${whole(hour.errors)} failed`
  return (
    <div class="overview-hour">
      <Spark all={perMinute.calls} failed={perMinute.errors} says={`${sums}; ${whole(most)} in the busiest minute`} />
      <p>
        <span class="number">{counted(hour.calls, 'call')}</span>
        <span class={hour.errors > 0 ? 'fault number' : 'soft number'}>{whole(hour.errors)} failed</span>
        <span class="soft">last hour</span>
      </p>
    </div>
  )
}

/** calls that were not needed, of those that would have been made */
function Saved({ hour: { calls, shared, cacheHits } }: Pick<Card, 'hour'>) {
  const saved = shared + cacheHits
  if (saved === 0) return <span class="soft">none</span>
  return (
    <span title={`${whole(cacheHits)} remembered, ${whole(shared)} shared with a call under way`}>
      {whole(saved)} <span class="soft">({share(saved, saved + calls)})</span>
    </span>
  )
}

const breakers = { closed: 'closed', open: 'open', 'half-open': 'half open' } as const

function Facts({ card: { status, hour } }: { readonly card: Card }) {
  const failure = status?.lastFailure
  return (
    <dl class="overview-facts">
      <Fact name="Last success">
        <Moment iso={status?.lastAnswerAt} />
      </Fact>
      <Fact name="Last failure">
        <Moment iso={failure?.at} />
        {failure && (
          <span class="mono overview-code" title={plainText(failure.code)}>
            <Foreign text={failure.code} />
          </span>
        )}
      </Fact>
      <Fact name="Calls saved">
        <Saved hour={hour} />
      </Fact>
      <Fact name="Breaker">{status ? breakers[status.breaker] : <span class="soft">not used</span>}</Fact>
      <Fact name="Drift">
        {hour.drift > 0 ? (
          <span title="Members of the platform's answers that this version does not know. They are left out.">
            {whole(hour.drift)} unknown
          </span>
        ) : (
          <span class="soft">none seen</span>
        )}
      </Fact>
    </dl>
  )
}

export function CardBody({ its }: { readonly its: Signal<Card> }) {
  const card = its.value
  const { id, status } = card
  const { word, tone, says } = standingOf(card)
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      <p class="overview-says">{says}</p>
      <div class="overview-quota">
        <Gauge name="Hour" of="Quota left" window={status?.quota.hour ?? null} />
        <Gauge name="Minute" of="Quota left" window={status?.quota.minute ?? null} />
      </div>
      <Hour card={card} />
      <Facts card={card} />
      <p class="overview-ways">
        <Link to="/explorer" names={{ connection: id }} aria-label={`Explore ${id}`}>
          Explore
        </Link>
        <Link to="/connections" names={{ id }} aria-label={`Connection ${id}`}>
          Connection
        </Link>
        <span class="soft">{card.kind === 'managed' ? 'in the settings' : 'hosted'}</span>
      </p>
    </>
  )
}
