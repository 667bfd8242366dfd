// Which cards are shown, and in which order. The order is frozen while the pointer or the focus is in a card: a card
// must not move away from under the pointer.
import { computed, signal } from '@preact/signals'
import { isProblem, rankOf, stateOf } from '../../connection-state.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import { cardOf, ids } from '../../store.ts'

export const filter = signal('')
export const only = signal<'all' | 'problems'>('all')
export const order = signal<'problems' | 'name'>('problems')

const all = computed(() =>
  ids.value.flatMap((id) => {
    const card = cardOf(id)
    return card ? [{ id, state: stateOf(card.value) }] : []
  }),
)

export const problemCount = computed(() => all.value.filter(({ state }) => isProblem(state)).length)

const wanted = computed(() => {
  const isFound = wordMatcher(filter.value)
  const found = all.value.filter(
    ({ id, state }) => (only.value === 'all' || isProblem(state)) && isFound(lowerCase(`${id} ${state.word}`)),
  )
  // the sort is stable, and they come by name
  if (order.value === 'problems') found.sort((a, b) => rankOf(a.state) - rankOf(b.state))
  return found.map(({ id }) => id)
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
