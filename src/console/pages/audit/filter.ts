// What the audit is narrowed to. Choices, and what a link of the console named, are in the address; what is typed is not.
import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { queryOf } from '../../api.ts'
import { place, rename } from '../../router.ts'
import { isKnownAct } from './acts.ts'

export interface Filter {
  readonly act: string
  readonly target: string
  readonly who: string
  readonly outcome: '' | 'done' | 'denied'
  readonly since: string
  /** of the field of the browser: local time */
  readonly until: string
  /** whether reads of callers are among the lines */
  readonly reads: boolean
}

export const everything: Filter = { act: '', target: '', who: '', outcome: '', since: '', until: '', reads: true }

export const sinceChoices = [
  ['', 'All time'],
  ['1h', 'Last hour'],
  ['24h', 'Last day'],
  ['7d', 'Last week'],
] as const

const outcomes = ['', 'done', 'denied'] as const

function filterOf(query: URLSearchParams): Filter {
  const since = query.get('since') ?? ''
  return {
    ...everything,
    act: query.get('act') ?? '',
    target: query.get('target') ?? '',
    outcome: outcomes.find((one) => one === query.get('outcome')) ?? '',
    since: sinceChoices.some(([one]) => one === since) ? since : '',
    reads: query.get('reads') !== 'no',
  }
}

/** `linked`: the target of the link that led here */
const namesOf = ({ act, target, outcome, since, reads }: Filter, linked: string) => ({
  act: isKnownAct(act) ? act : undefined,
  target: target === linked ? target : undefined,
  ...{ outcome, since, reads: reads ? undefined : 'no' },
})

/** an act that was chosen is what is wanted: nothing is left out of it */
const leavesReadsOut = ({ act, reads }: Filter): boolean => !reads && act === ''

/** a field for moments takes years of six digits, which no `Date` reads */
export const isMoment = (until: string): boolean => !Number.isNaN(Date.parse(until))

export function pathOf(filter: Filter): string {
  const { act, target, who, outcome, since, until } = filter
  const moment = isMoment(until) ? new Date(until).toISOString() : undefined
  const without = leavesReadsOut(filter) ? 'read' : undefined
  return `/audit${queryOf({ act, target, who, outcome, since, until: moment, without })}`
}

export interface UsedFilter {
  readonly filter: Signal<Filter>
  readonly change: (part: Partial<Filter>) => void
}

/** as the address has it, and anew when a link leads here again */
export function useFilter(): UsedFilter {
  const filter = useSignal(filterOf(place.peek().query))
  const linked = useSignal(filter.peek().target)
  const written = useSignal(place.peek().query.toString())
  const now = place.value.query.toString()
  useEffect(() => {
    if (now === written.peek()) return
    written.value = now
    filter.value = filterOf(place.peek().query)
    linked.value = filter.peek().target
  }, [now])
  const change = (part: Partial<Filter>) => {
    filter.value = { ...filter.peek(), ...part }
    rename(namesOf(filter.peek(), linked.peek()))
    written.value = place.peek().query.toString()
  }
  return { filter, change }
}
