// Which connections are shown, in which order, and as cards or rows. The order is frozen while the pointer or the focus is in one
// of them: it must not move away from under the pointer.
import { computed, signal } from '@preact/signals'
import type { Card } from '../../answers.ts'
import { type ConnectionState, passes, rankOf, type StateFilter, stateOf } from '../../connection-state.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import { cardOf, ids } from '../../store.ts'

export const orders = {
  problems: 'Problems first',
  name: 'Name',
  calls: 'Most calls',
  errors: 'Most failed calls',
  quota: 'Least quota left',
} as const

export const views = { cards: 'Cards', rows: 'List' } as const
type View = keyof typeof views

export const filter = signal('')
export const only = signal<StateFilter>('all')
export const order = signal<keyof typeof orders>('problems')
const chosenView = signal<View | undefined>(undefined)

/** more cards than this are too many to compare */
const mostCards = 24

export const view = computed((): View => chosenView.value ?? (ids.value.length > mostCards ? 'rows' : 'cards'))
export const chooseView = (chosen: View) => void (chosenView.value = chosen)

interface Entry {
  readonly card: Card
  readonly state: ConnectionState
}

const all = computed(() =>
  ids.value.flatMap((id): readonly Entry[] => {
    const card = cardOf(id)?.value
    return card ? [{ card, state: stateOf(card) }] : []
  }),
)

export const states = computed(() => all.value.map(({ state }) => state))

/** an unknown quota comes last */
const quotaShare = ({ status }: Card): number => {
  const window = status?.quota.hour
  return window ? window.remaining / Math.max(1, window.limit) : 2
}

/** the smallest first; the sort is stable, and they come by name */
const places: Readonly<Record<keyof typeof orders, (entry: Entry) => number>> = {
  problems: ({ state }) => rankOf(state),
  name: () => 0,
  calls: ({ card }) => -card.hour.calls,
  errors: ({ card }) => -card.hour.errors,
  quota: ({ card }) => quotaShare(card),
}

const wanted = computed(() => {
  const isFound = wordMatcher(filter.value)
  const found = all.value.filter(
    ({ card: { id }, state }) => passes(state, only.value) && isFound(lowerCase(`${id} ${state.word}`)),
  )
  const place = places[order.value]
  return found.toSorted((a, b) => place(a) - place(b)).map(({ card }) => card.id)
})

const frozenMs = 2_000
const isPointed = signal(false)
const isFocused = signal(false)
let timer: ReturnType<typeof setTimeout> | undefined

export const freezing = {
  onPointerMove() {
    isPointed.value = true
    clearTimeout(timer)
    timer = setTimeout(() => (isPointed.value = false), frozenMs)
  },
  onFocusIn: () => void (isFocused.value = true),
  onFocusOut: () => void (isFocused.value = false),
}

let last: { readonly wish: string; readonly ids: readonly string[] } = { wish: '', ids: [] }

/** a new filter or order takes effect at once; the same array as before where nothing moved */
export const shownIds = computed((): readonly string[] => {
  const wish = [filter.value, only.value, order.value, ids.value.length].join('\n')
  const isFrozen = (isPointed.value || isFocused.value) && wish === last.wish
  if (!isFrozen && (wish !== last.wish || wanted.value.join('\n') !== last.ids.join('\n')))
    last = { wish, ids: wanted.value }
  return last.ids
})
