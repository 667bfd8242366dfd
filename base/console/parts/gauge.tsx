// How much is left of a limit: a bar, alone or with the numbers beside it.
import { whole } from '../format.ts'

interface Window {
  readonly remaining: number
  readonly limit: number
}

interface MeterProps {
  /** of what, for screen readers */
  readonly label: string
  readonly window: Window | null
}

interface GaugeProps {
  readonly name: string
  readonly of: string
  readonly window: Window | null
}

/** from 0 to 1 */
export const shareLeft = ({ remaining, limit }: Window): number =>
  limit === 0 ? 0 : Math.max(0, Math.min(1, remaining / limit))

const toneOf = (share: number): string => (share <= 0 ? 'bad' : share < 0.1 ? 'warn' : '')

export function Meter({ label, window }: MeterProps) {
  if (window === null) return <span class="meter none" aria-hidden="true" />
  const { remaining, limit } = window
  const share = shareLeft(window)
  return (
    <span
      class={`meter ${toneOf(share)}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.max(0, Math.min(remaining, limit))}
      aria-valuetext={`${whole(remaining)} of ${whole(limit)} left`}
    >
      <span style={{ width: `${share * 100}%` }} />
    </span>
  )
}

export const unknownQuota = 'The platform reports the quota with its responses. None has reported it yet.'

export function Gauge({ name, of, window }: GaugeProps) {
  return (
    <div class="gauge">
      <span class="soft">{name}</span>
      <Meter label={`${of}, ${name.toLowerCase()}`} window={window} />
      <span class="number">
        {window === null ? (
          <span class="soft" title={unknownQuota}>
            unknown
          </span>
        ) : (
          `${whole(window.remaining)} of ${whole(window.limit)}`
        )}
      </span>
    </div>
  )
}
