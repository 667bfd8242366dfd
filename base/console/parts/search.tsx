// A field that narrows what is shown while one types.
import type { Ref } from 'preact'
import { useRef } from 'preact/hooks'
import { useWindowEvent } from '../window-event.ts'

interface SearchProps {
  readonly label: string
  readonly placeholder?: string
  readonly box?: Ref<HTMLInputElement>
  readonly 'aria-keyshortcuts'?: string
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly value: string
  readonly onInput: (text: string) => void
}

export function Search({ label, placeholder = label, box, onInput, ...input }: SearchProps) {
  return (
    <input
      {...input}
      ref={box}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** above a listing; `/` goes to it from anywhere on the page */
export function Filter(props: SearchProps) {
  const box = useRef<HTMLInputElement>(null)
  useWindowEvent('keydown', (event) => {
    if (event.key !== '/' || isTyping(event.target) || event.metaKey || event.ctrlKey) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    box.current?.focus()
  })
  return (
    <div class="filter">
      <Search {...props} box={box} aria-keyshortcuts="/" />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}
