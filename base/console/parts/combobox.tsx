// A field to find one of many choices by typing. It follows the ARIA combobox pattern: the focus stays in the field, which names
// the active choice.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { type Choice, grouped, lastPart, matching, withLastPart } from './choices.ts'
import { asTyped, type ControlProps, Field } from './field.tsx'
import { UntrustedText } from './display.tsx'

interface ComboboxProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly fault?: string | undefined
  readonly needed?: boolean
  readonly choices: readonly Choice[]
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly placeholder?: string | undefined
  readonly note?: string | undefined
  /** `one`: what is typed is the value, and the choices only help; `several`: separated by commas */
  readonly free?: 'one' | 'several' | undefined
}

/** drawn at once; more as the list is scrolled */
const drawn = 100

function useCombobox({ choices, value, onChoose, free }: ComboboxProps) {
  const isOpen = useSignal(false)
  const active = useSignal(-1)
  const most = useSignal(drawn)
  const typed = useSignal<string | undefined>(undefined)
  const sought = free === 'several' ? lastPart(value) : free ? value : (typed.value ?? '')
  const found = matching(choices, sought)
  const goTo = (at: number) => {
    active.value = Math.max(0, Math.min(found.length - 1, at))
    most.value = Math.max(most.value, active.value + drawn / 2)
  }
  const open = (at: number) => {
    isOpen.value = true
    most.value = drawn
    active.value = at
  }
  const show = () => {
    const chosen = free || typed.peek() !== undefined ? -1 : found.findIndex((one) => one.value === value)
    open(-1)
    if (chosen >= 0) goTo(chosen)
  }
  const close = () => {
    isOpen.value = false
    typed.value = undefined
  }
  const choose = (one: Choice) => {
    onChoose(free === 'several' ? withLastPart(value, one.value) : one.value)
    close()
  }
  const onInput = (text: string) => {
    if (free) onChoose(text)
    else typed.value = text
    open(free ? -1 : 0)
  }
  return { isOpen, active, most, typed, found, goTo, show, close, choose, onInput }
}

type UsedCombobox = ReturnType<typeof useCombobox>

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

function onKeyDown(event: KeyboardEvent, { isOpen, active, found, goTo, show, close, choose }: UsedCombobox) {
  const step = steps[event.key]
  const chosen = isOpen.value ? found[active.value] : undefined
  if (step !== undefined) {
    if (isOpen.value) goTo(active.value + step)
    else show()
  } else if (event.key === 'Enter' && chosen && !event.ctrlKey && !event.metaKey) choose(chosen)
  else if (event.key === 'Escape' && isOpen.value) close()
  else return
  event.preventDefault()
  event.stopPropagation()
}

interface ListProps {
  readonly id: string
  readonly used: UsedCombobox
  readonly props: ComboboxProps
}

function List({ id, used: { active, most, found, goTo, choose }, props: { label, value, note } }: ListProps) {
  const shown = found.slice(0, most.value)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active.value])
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { currentTarget: HTMLElement }) => {
    if (scrollTop + clientHeight * 2 > scrollHeight && most.value < found.length) most.value += drawn
  }
  const option = (choice: Choice) => {
    const i = shown.indexOf(choice)
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
          <UntrustedText text={choice.label} />
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
      {(note ?? found.length === 0) && <p class="hint">{note ?? 'No matches.'}</p>}
    </div>
  )
}

function Control({ control, props }: { readonly control: ControlProps; readonly props: ComboboxProps }) {
  const { choices, value, free, placeholder, needed } = props
  const used = useCombobox(props)
  const { active, typed, found, show, close, onInput } = used
  const id = useId()
  const isOpen = used.isOpen.value && (!free || found.length > 0)
  const shown = choices.find((one) => one.value === value)?.label ?? value
  return (
    <div class="combobox">
      <input
        {...control}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && active.value >= 0 && found.length > 0 ? `${id}-${active.value}` : undefined}
        aria-required={needed}
        value={free ? value : (typed.value ?? shown)}
        placeholder={placeholder}
        {...asTyped}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => onKeyDown(event, used)}
        onClick={() => !used.isOpen.value && show()}
        onFocus={(event) => !free && event.currentTarget.select()}
        onBlur={close}
      />
      {isOpen && <List id={id} used={used} props={props} />}
      <span class="unseen" role="status">
        {isOpen && `${found.length} options`}
      </span>
    </div>
  )
}

export function Combobox(props: ComboboxProps) {
  const { label, hint, fault, needed } = props
  return (
    <Field label={label} hint={hint} fault={fault} needed={needed}>
      {(control) => <Control control={control} props={props} />}
    </Field>
  )
}
