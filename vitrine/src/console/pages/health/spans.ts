// The spans of time that the health page shows: the last hour by the minute, as this process counted it, and the last day or
// week by the hour, as the store keeps it for all replicas.
import type { Health, Usage } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { minuteOfDay } from '../../../../../base/console/format.ts'
import type { StepValues, Steps } from '../../../../../base/console/parts/chart-geometry.ts'

export interface ShownOperation {
  readonly operation: string
  readonly requests: number
  readonly errors: number
  /** absent: not known for this span */
  readonly p95?: number | null
}

export interface ShownHealth {
  readonly span: Span
  readonly at: string
  readonly steps: Steps
  readonly requests: Readonly<Record<keyof Health['requests'], StepValues>>
  readonly latencyMs: Readonly<Record<'p50' | 'p95' | 'p99', StepValues>>
  readonly platform: Readonly<Record<'ok' | 'failed' | 'p50' | 'p95', StepValues>>
  readonly operations: readonly ShownOperation[]
}

export interface Span {
  readonly id: string
  readonly tab: string
  /** as in `Requests of the …` */
  readonly words: string
  readonly hint: string
  readonly everyMs: number
  readonly load: (signal: AbortSignal) => Promise<ShownHealth>
}

const hourAndDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const hourName = (iso: string): string => hourAndDay.format(new Date(iso))
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })

function hourOf(health: Health): ShownHealth {
  const { at, since, minutes, latencyMs, platform, operations } = health
  const known = minutes.map((minute) => minute >= since)
  const blanked = (values: readonly number[]): StepValues => values.map((value, i) => (known[i] ? value : null))
  const requests = Object.fromEntries(Object.entries(health.requests).map(([name, values]) => [name, blanked(values)]))
  return {
    span: hour,
    at,
    steps: {
      starts: minutes,
      unit: 'minute',
      known,
      nameOf: minuteOfDay,
      tickOf: (iso) => (new Date(iso).getUTCMinutes() % 15 === 0 ? minuteOfDay(iso) : undefined),
    },
    requests: requests as ShownHealth['requests'],
    latencyMs,
    platform: { ...platform, ok: blanked(platform.ok), failed: blanked(platform.failed) },
    operations,
  }
}

const hour: Span = {
  id: '1h',
  tab: '1 h',
  words: 'last hour',
  hint: 'By the minute, of the process that answers this page, since its start.',
  everyMs: 10_000,
  load: async (signal) => hourOf(await ask<Health>('/health', { signal })),
}

function stored(id: Usage['range'], tab: string, words: string, tickOf: Steps['tickOf']): Span {
  const span: Span = {
    id,
    tab,
    words,
    hint: 'By the hour, of all replicas, from the store: a restart keeps it.',
    everyMs: 60_000,
    async load(signal) {
      const { hours, ...usage } = await ask<Usage>(`/usage?range=${id}`, { signal })
      const known = usage.requests.ok.map((count) => count !== null)
      return { span, ...usage, steps: { starts: hours, unit: 'hour', known, nameOf: hourName, tickOf } }
    },
  }
  return span
}

const everyFourHours = (iso: string) => (new Date(iso).getHours() % 4 === 0 ? minuteOfDay(iso) : undefined)
const everyDay = (iso: string) => (new Date(iso).getHours() === 0 ? day.format(new Date(iso)) : undefined)

export const spans: readonly Span[] = [
  hour,
  stored('24h', '24 h', 'last 24 hours', everyFourHours),
  stored('7d', '7 d', 'last 7 days', everyDay),
]

export const spanNamed = (id: string | null): Span => spans.find((span) => span.id === id) ?? hour
