// How much is left of a limit: a bar, and the numbers beside it.
import { whole } from '../format.ts'

interface GaugeProps {
  readonly name: string
  /** of what, for screen readers */
  readonly of: string
  readonly window: { readonly remaining: number; readonly limit: number } | null
}

const toneOf = (share: number): string => (share <= 0 ? 'bad' : share < 0.1 ? 'warn' : '')

export function Gauge({ name, of, window }: GaugeProps) {
  const share = window === null || window.limit === 0 ? 0 : Math.max(0, Math.min(1, window.remaining / window.limit))
  return (
    <div class="gauge">
      <span class="soft">{name}</span>
      {window === null ? (
        <span class="meter none" aria-hidden="true" />
      ) : (
        <span
          class={`meter ${toneOf(share)}`}
          role="meter"
          aria-label={`${of}, ${name.toLowerCase()}`}
          aria-valuemin={0}
          aria-valuemax={window.limit}
          aria-valuenow={Math.max(0, Math.min(window.remaining, window.limit))}
          aria-valuetext={`${whole(window.remaining)} of ${whole(window.limit)} left`}
        >
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span class="number">
        {window === null ? (
          <span class="soft" title="The platform reports the quota with its responses. None has reported it yet.">
            unknown
          </span>
        ) : (
          `${whole(window.remaining)} of ${whole(window.limit)}`
        )}
      </span>
    </div>
  )
}
