// The filter of the audit log. Choices, and the target that a link of the console named, are in the address; typed text is not.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { queryOf } from '../../../../../base/console/api.ts'
import { replaceQuery, route } from '../../../../../base/console/router.ts'
import { isKnownAction } from './actions.ts'

export const sinceChoices = { '': 'All time', '1h': 'Last hour', '24h': 'Last day', '7d': 'Last week' }
export const outcomeChoices = { '': 'All outcomes', done: 'Done', denied: 'Denied' }

export const everything = {
  act: '',
  target: '',
  who: '',
  outcome: '' as keyof typeof outcomeChoices,
  since: '' as keyof typeof sinceChoices,
  /** as the browser's field gives it: local time */
  until: '',
  /** whether reads of callers are among the entries */
  reads: true,
}

export type AuditFilter = Readonly<typeof everything>

const chosenOf = <T extends string>(choices: Readonly<Record<T | '', string>>, text: string | null): T | '' =>
  text !== null && Object.hasOwn(choices, text) ? (text as T) : ''

const filterOf = (query: URLSearchParams): AuditFilter => ({
  ...everything,
  act: query.get('act') ?? '',
  target: query.get('target') ?? '',
  outcome: chosenOf(outcomeChoices, query.get('outcome')),
  since: chosenOf(sinceChoices, query.get('since')),
  reads: query.get('reads') !== 'no',
})

/** `linked`: the target of the link that led here */
const namesOf = ({ act, target, outcome, since, reads }: AuditFilter, linked: string) => ({
  act: isKnownAction(act) ? act : undefined,
  target: target === linked ? target : undefined,
  outcome,
  since,
  reads: reads ? undefined : 'no',
})

/** the browser's field takes years of six digits, which `Date` does not read */
export const isTime = (until: string): boolean => !Number.isNaN(Date.parse(until))

export function pathOf({ act, target, who, outcome, since, until, reads }: AuditFilter): string {
  // a chosen action is shown whole
  const without = !reads && act === '' ? 'read' : undefined
  const iso = isTime(until) ? new Date(until).toISOString() : undefined
  return `/audit${queryOf({ act, target, who, outcome, since, until: iso, without })}`
}

export type UsedFilter = ReturnType<typeof useFilter>

/** as in the address, and anew when a link leads here again */
export function useFilter() {
  const filter = useSignal(filterOf(route.peek().query))
  const linked = useSignal(filter.peek().target)
  const written = useSignal(route.peek().query.toString())
  const now = route.value.query.toString()
  useEffect(() => {
    if (now === written.peek()) return
    written.value = now
    filter.value = filterOf(route.peek().query)
    linked.value = filter.peek().target
  }, [now])
  const change = (part: Partial<AuditFilter>) => {
    filter.value = { ...filter.peek(), ...part }
    replaceQuery(namesOf(filter.peek(), linked.peek()))
    written.value = route.peek().query.toString()
  }
  return { filter, change }
}
