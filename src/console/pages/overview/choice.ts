// Which cards are shown, and in which order. It stands still while somebody points at one of them or is in one by keyboard:
// a card must not go away from under a finger.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Card } from '../../answers.ts'
import { finderOf, small } from '../../finding.ts'
import { isTrouble, rankOf, type Standing, standingOf } from '../../standing.ts'
import { cardOf, ids } from '../../told.ts'

export const filter = signal('')
export const only = signal<'all' | 'trouble'>('all')
export const order = signal<'trouble' | 'name'>('trouble')

/** one object for each word: it changes only when the word does */
const byWord = new Map<string, Standing>()
const wordOf = (card: Card): Standing => {
  const standing = standingOf(card)
  const known = byWord.get(standing.word)
  if (!known) byWord.set(standing.word, standing)
  return known ?? standing
}

const standings = new WeakMap<Signal<Card>, ReadonlySignal<Standing>>()

function standingFor(its: Signal<Card>): ReadonlySignal<Standing> {
  const known = standings.get(its)
  if (known) return known
  const made = computed(() => wordOf(its.value))
  standings.set(its, made)
  return made
}

const all = computed(() =>
  ids.value.flatMap((id) => {
    const its = cardOf(id)
    return its ? [{ id, standing: standingFor(its).value }] : []
  }),
)

export const troubled = computed(() => all.value.filter(({ standing }) => isTrouble(standing)).length)

const shown = computed(() => {
  const isFound = finderOf(filter.value)
  const found = all.value.filter(
    ({ id, standing }) => (only.value === 'all' || isTrouble(standing)) && isFound(small(`${id} ${standing.word}`)),
  )
  // they come in the order of their names, which stays among equals
  if (order.value === 'trouble') found.sort((a, b) => rankOf(a.standing) - rankOf(b.standing))
  return found.map(({ id }) => id)
})

const stillMs = 2_000
const pointed = signal(false)
const entered = signal(false)
let timer: ReturnType<typeof setTimeout> | undefined

/** for the element around the cards */
export const stillness = {
  onPointerMove() {
    pointed.value = true
    clearTimeout(timer)
    timer = setTimeout(() => (pointed.value = false), stillMs)
  },
  onFocusIn: () => void (entered.value = true),
  onFocusOut: () => void (entered.value = false),
}

let last: { readonly wish: string; readonly ids: readonly string[] } = { wish: '', ids: [] }

/** what somebody asks for is shown at once, whatever he points at */
export const inOrder = computed((): readonly string[] => {
  const wish = [filter.value, only.value, order.value, ids.value.length].join('\n')
  if (!(pointed.value || entered.value) || wish !== last.wish) last = { wish, ids: shown.value }
  return last.ids
})
