// Several views in one place, one of them shown. The arrow keys move between the tabs.
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly (readonly [id: string, name: string])[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

export function Tabs({ label, tabs, chosen, onChoose, tools, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const to = steps[event.key]?.(
      tabs.findIndex(([one]) => one === chosen),
      tabs.length - 1,
    )
    if (to === undefined) return
    event.preventDefault()
    onChoose(tabs[to]?.[0] ?? chosen)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-row">
        <div ref={list} class="tab-list" role="tablist" aria-label={label}>
          {tabs.map(([one, name]) => (
            <button
              key={one}
              type="button"
              id={`${id}-${one}`}
              role="tab"
              aria-selected={one === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={one === chosen ? 0 : -1}
              onClick={() => onChoose(one)}
              onKeyDown={onKeyDown}
            >
              {name}
            </button>
          ))}
        </div>
        {tools && <div class="tab-tools">{tools}</div>}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
