// How a connection stands right now, as the service tells it while one looks.
import type { Card } from '../../answers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Gauge } from '../../parts/gauge.tsx'
import { Moment } from '../../parts/moment.tsx'
import { rankOf, standingOf } from '../../standing.ts'
import { cardOf, ids, isWhole } from '../../told.ts'

/** undefined: not told yet */
const heard = (id: string): Card | undefined => {
  // a card that comes is in the ids first
  void ids.value
  return cardOf(id)?.value
}

export function StateBadge({ id }: { readonly id: string }) {
  const card = heard(id)
  if (card === undefined) return <span class="soft">{isWhole.value ? 'not told' : '…'}</span>
  const { word, tone } = standingOf(card)
  return <Badge tone={tone}>{word}</Badge>
}

/** trouble first; read without listening, or each change would sort the table anew under the reader's eyes */
export function stateRank(id: string): number {
  const card = cardOf(id)?.peek()
  return card === undefined ? 9 : rankOf(standingOf(card))
}

export function LiveFacts({ id }: { readonly id: string }) {
  const card = heard(id)
  const status = card?.status
  const standing = card && standingOf(card)
  return (
    <>
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <StateBadge id={id} /> <span class="soft">{standing?.says}</span>
        </dd>
        <dt>Calls</dt>
        <dd class="number">
          {status?.calls.running ?? 0} under way, {status?.calls.waiting ?? 0} waiting
        </dd>
        <dt>Last answer</dt>
        <dd>
          <Moment iso={status?.lastAnswerAt} never="none since the start" />
        </dd>
        <dt>Last failure</dt>
        <dd>
          {status?.lastFailure ? (
            <>
              <Moment iso={status.lastFailure.at} />,{' '}
              <span class="mono">
                <Foreign text={status.lastFailure.code} />
              </span>
            </>
          ) : (
            <span class="soft">none since the start</span>
          )}
        </dd>
      </dl>
      <div>
        <p class="soft">Quota left</p>
        <Gauge name="Hour" of={`Quota left of ${id}`} window={status?.quota.hour ?? null} />
        <Gauge name="Minute" of={`Quota left of ${id}`} window={status?.quota.minute ?? null} />
      </div>
    </>
  )
}
