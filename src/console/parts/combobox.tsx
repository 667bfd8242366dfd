// A field that one types into to find one of many: 500 connections, 29 operations, or what is known of an open list. It keeps
// to the pattern that screen readers know: the focus stays in the field, and the field says which choice is meant.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { type Choice, grouped, lastPart, matching, withLastPart } from './choices.ts'
import { Field, type Tied } from './field.tsx'
import { Foreign } from './foreign.tsx'

interface ComboboxProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly needed?: boolean
  readonly choices: readonly Choice[]
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly placeholder?: string | undefined
  /** under the choices, such as that more are on their way */
  readonly note?: string | undefined
  /** `one`: what is typed is the value, and the choices only help. `several`: with commas between them */
  readonly free?: 'one' | 'several' | undefined
}

/** drawn at once; more when somebody goes there */
const drawn = 100

interface State {
  readonly open: Signal<boolean>
  readonly active: Signal<number>
  readonly most: Signal<number>
  /** what is typed, of a field whose value is one of the choices; undefined: nothing yet */
  readonly typed: Signal<string | undefined>
}

function useCombobox({ choices, value, onChoose, free }: ComboboxProps) {
  const state: State = {
    open: useSignal(false),
    active: useSignal(-1),
    most: useSignal(drawn),
    typed: useSignal<string | undefined>(undefined),
  }
  const { open, active, most, typed } = state
  const sought = free === 'several' ? lastPart(value) : free ? value : (typed.value ?? '')
  const found = matching(choices, sought)
  const goTo = (at: number) => {
    active.value = Math.max(0, Math.min(found.length - 1, at))
    most.value = Math.max(most.value, active.value + drawn / 2)
  }
  const show = () => {
    const chosen = free || typed.peek() !== undefined ? -1 : found.findIndex((one) => one.value === value)
    open.value = true
    most.value = drawn
    active.value = -1
    if (chosen >= 0) goTo(chosen)
  }
  const close = () => {
    open.value = false
    typed.value = undefined
  }
  const choose = (one: Choice) => {
    onChoose(free === 'several' ? withLastPart(value, one.value) : one.value)
    close()
  }
  const onInput = (text: string) => {
    if (free) onChoose(text)
    else typed.value = text
    open.value = true
    most.value = drawn
    // what is typed counts as it is, where it may
    active.value = free ? -1 : 0
  }
  return { state, found, goTo, show, close, choose, onInput }
}

type Combobox = ReturnType<typeof useCombobox>

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

function onKeyDown(event: KeyboardEvent, { state, found, goTo, show, close, choose }: Combobox) {
  const { open, active } = state
  const step = steps[event.key]
  const meant = open.value ? found[active.value] : undefined
  if (step !== undefined) {
    if (open.value) goTo(active.value + step)
    else show()
  } else if (event.key === 'Enter' && meant && !event.ctrlKey && !event.metaKey) choose(meant)
  else if (event.key === 'Escape' && open.value) close()
  else return
  event.preventDefault()
  event.stopPropagation()
}

interface ListProps {
  readonly id: string
  readonly label: string
  readonly box: Combobox
  readonly value: string
  readonly note: string | undefined
}

function List({ id, label, box: { state, found, goTo, choose }, value, note }: ListProps) {
  const { active, most } = state
  const shown = found.slice(0, most.value)
  const at = new Map(shown.map((choice, i) => [choice, i]))
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active.value])
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { currentTarget: HTMLElement }) => {
    if (scrollTop + clientHeight * 2 > scrollHeight && most.value < found.length) most.value += drawn
  }
  const option = (choice: Choice) => {
    const i = at.get(choice) ?? 0
    return (
      <div
        key={choice.value}
        id={`${id}-${i}`}
        role="option"
        tabIndex={-1}
        class={choice.value === value ? 'option chosen' : 'option'}
        aria-selected={i === active.value}
        aria-setsize={found.length}
        aria-posinset={i + 1}
        onClick={() => choose(choice)}
        onMouseMove={() => active.value !== i && goTo(i)}
      >
        <span class="name">
          <Foreign text={choice.label} />
        </span>
        {choice.detail && <span class="soft">{choice.detail}</span>}
      </div>
    )
  }
  return (
    // the focus stays in the field
    <div class="popup" role="presentation" onMouseDown={(event) => event.preventDefault()}>
      <div ref={list} id={id} class="options" role="listbox" aria-label={label} onScroll={onScroll}>
        {grouped(shown).map(([group, choices]) =>
          group === '' ? (
            choices.map(option)
          ) : (
            <div key={group} role="group" aria-label={group}>
              <div class="group" aria-hidden="true">
                {group}
              </div>
              {choices.map(option)}
            </div>
          ),
        )}
      </div>
      {(note ?? found.length === 0) && <p class="hint">{note ?? 'Nothing has all of these words.'}</p>}
    </div>
  )
}

function Control({ tied, box, props }: { readonly tied: Tied; readonly box: Combobox; readonly props: ComboboxProps }) {
  const { choices, value, free, label, note, placeholder, needed } = props
  const { state, found, show, close, onInput } = box
  const { open, active, typed } = state
  const id = useId()
  const isOpen = open.value && (!free || found.length > 0)
  const shown = choices.find((one) => one.value === value)?.label ?? value
  return (
    <div class="combobox">
      <input
        {...tied}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && active.value >= 0 && found.length > 0 ? `${id}-${active.value}` : undefined}
        aria-required={needed}
        value={free ? value : (typed.value ?? shown)}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => onKeyDown(event, box)}
        onClick={() => !open.value && show()}
        onFocus={(event) => !free && event.currentTarget.select()}
        onBlur={close}
      />
      {isOpen && <List {...{ id, label, box, value, note }} />}
      <span class="unseen" role="status">
        {isOpen && `${found.length} to choose from`}
      </span>
    </div>
  )
}

export function Combobox(props: ComboboxProps) {
  const { label, hint, fault, needed } = props
  const box = useCombobox(props)
  return <Field {...{ label, hint, fault, needed }}>{(tied) => <Control tied={tied} box={box} props={props} />}</Field>
}
