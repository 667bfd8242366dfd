// The state of a connection right now, as the service reports it.
import type { Card } from '../../answers.ts'
import { rankOf, stateOf } from '../../connection-state.ts'
import { Badge, Facts, RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Gauge } from '../../../../../base/console/parts/gauge.tsx'
import { cardOf, ids, isComplete } from '../../store.ts'

/** undefined: not reported yet */
const reported = (id: string): Card | undefined => {
  // a new card is in the ids first
  void ids.value
  return cardOf(id)?.value
}

export function StateBadge({ id }: { readonly id: string }) {
  const card = reported(id)
  if (card === undefined)
    return isComplete.value ? (
      <span
        class="soft"
        title="The service has not reported this connection. It may have been removed: refresh the list."
      >
        not reported
      </span>
    ) : (
      <span class="soft">…</span>
    )
  const { word, tone } = stateOf(card)
  return <Badge tone={tone}>{word}</Badge>
}

/** problems first; read without subscribing, or each change would sort the table again */
export function stateRank(id: string): number {
  const card = cardOf(id)?.peek()
  return card === undefined ? 9 : rankOf(stateOf(card))
}

const never = 'none since the service started'

export function LiveFacts({ id }: { readonly id: string }) {
  const card = reported(id)
  const { calls, lastAnswerAt, lastFailure, quota } = card?.status ?? {}
  return (
    <>
      <Facts
        of={{
          State: (
            <>
              <StateBadge id={id} /> <span class="soft">{card && stateOf(card).sentence}</span>
            </>
          ),
          Calls: <span class="number">{`${calls?.running ?? 0} in progress, ${calls?.waiting ?? 0} queued`}</span>,
          'Last success': <RelativeTime iso={lastAnswerAt} never={never} />,
          'Last failure': (
            <>
              <RelativeTime iso={lastFailure?.at} never={never} />
              {lastFailure && ', '}
              {lastFailure && <UntrustedText mono text={lastFailure.code} />}
            </>
          ),
        }}
      />
      <div>
        <p class="soft">Quota left</p>
        <Gauge name="Hour" of={`Quota left of ${id}`} window={quota?.hour ?? null} />
        <Gauge name="Minute" of={`Quota left of ${id}`} window={quota?.minute ?? null} />
      </div>
    </>
  )
}
