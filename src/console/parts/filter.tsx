// The field above a listing that narrows it while one types. `/` goes there from anywhere on the page.
import { useEffect, useId, useRef } from 'preact/hooks'

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

export function Filter({ label, value, onInput }: FilterProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target) || event.metaKey || event.ctrlKey) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <div class="filter">
      <label class="unseen" for={id}>
        {label}
      </label>
      <input
        ref={box}
        id={id}
        type="search"
        placeholder={label}
        value={value}
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts="/"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}
