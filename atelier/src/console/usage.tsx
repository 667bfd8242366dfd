// What the account uses of its limits, as bars with their numbers.
import { whole } from '../../../base/console/format.ts'
import type { Subscription } from './answers.ts'
import { memory } from './units.ts'
import './usage.css'

interface MeterProps {
  readonly name: string
  readonly used: number
  readonly limit: number
  readonly format?: (amount: number) => string
}

function Meter({ name, used, limit, format = whole }: MeterProps) {
  const share = limit === 0 ? 1 : Math.max(0, Math.min(1, used / limit))
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : ''
  const text = `${format(used)} of ${format(limit)}`
  return (
    <div class="usage-meter">
      <span class="soft">{name}</span>
      <span class="number">{text}</span>
      <span
        class={`meter ${tone}`}
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={text}
      >
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

const names = ['containers', 'memoryMiB', 'cpu', 'images'] as const
const titles = { containers: 'Containers', memoryMiB: 'Memory', cpu: 'CPUs', images: 'Images' } as const

interface UsageProps {
  readonly subscription: Subscription
  readonly only?: readonly (typeof names)[number][]
}

export function Usage({ subscription: { current }, only = names }: UsageProps) {
  return (
    <div class="usage">
      {only.map((name) => (
        <Meter
          key={name}
          name={titles[name]}
          used={current.usage[name]}
          limit={current.limits[name] ?? 0}
          format={name === 'memoryMiB' ? memory : whole}
        />
      ))}
    </div>
  )
}
