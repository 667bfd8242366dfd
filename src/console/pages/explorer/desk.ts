// What is on the desk for each operation: what was typed, and what came. In the memory of the page alone, and gone with the
// session.
import { effect, type Signal, signal } from '@preact/signals'
import { standing } from '../../session.ts'
import type { Plan } from '../../answers.ts'
import type { Refusal } from '../../refusal.ts'
import { type Draft, emptyDraft } from './draft.ts'
import type { Faults } from './faults.ts'
import type { Failure, Run, Turn } from './run.ts'

export interface Planned {
  readonly connection: string
  readonly target: string
  readonly plan: Plan | undefined
  readonly refusal: Refusal | undefined
}

export interface Desk {
  readonly draft: Signal<Draft>
  /** found before sending, or by the door */
  readonly faults: Signal<Faults>
  /** counts how often some were found: each time somebody has to be led there */
  readonly found: Signal<number>
  readonly busy: Signal<Turn | undefined>
  readonly run: Signal<Run | undefined>
  readonly failure: Signal<Failure | undefined>
  readonly planned: Signal<Planned | undefined>
  flight: AbortController | undefined
}

const desks = new Map<string, Desk>()

export interface Chosen {
  readonly connection: string
  readonly operation: string
}

/** for whoever comes back to the page by its bare name */
export const lastChosen = signal<Chosen>({ connection: '', operation: '' })

const makeDesk = (): Desk => ({
  draft: signal(emptyDraft),
  faults: signal(new Map()),
  found: signal(0),
  busy: signal(undefined),
  run: signal(undefined),
  failure: signal(undefined),
  planned: signal(undefined),
  flight: undefined,
})

export function deskOf(operation: string): Desk {
  const desk = desks.get(operation) ?? makeDesk()
  desks.set(operation, desk)
  return desk
}

effect(() => {
  if (standing.value.state === 'in') return
  for (const { flight } of desks.values()) flight?.abort()
  desks.clear()
  lastChosen.value = { connection: '', operation: '' }
})

export function blame({ faults, found }: Desk, now: Faults) {
  faults.value = now
  if (now.size > 0) found.value++
}

export function type(desk: Desk, part: 'ids' | 'query', name: string, text: string) {
  const { draft, faults } = desk
  draft.value = { ...draft.value, [part]: { ...draft.value[part], [name]: text } }
  // who mends a field is not told off while doing so
  if (faults.value.has(name)) faults.value = new Map([...faults.value].filter(([one]) => one !== name))
}

export function showPictures({ run }: Desk, urls: readonly string[]) {
  const now = run.peek()
  if (now) run.value = { ...now, shown: new Set([...now.shown, ...urls]) }
}
