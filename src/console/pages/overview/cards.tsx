// The cards, any number of them: each has its place and its name, and what is in it is drawn only while it is in sight.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { cardOf } from '../../told.ts'
import { CardBody } from './card.tsx'
import { inOrder, stillness } from './choice.ts'

/** drawn this far beyond the edges, so that a quick scroll shows no empty card */
const margin = '600px'

interface Watcher {
  readonly watch: (box: Element, inSight: Signal<boolean>) => () => void
  readonly end: () => void
}

function watcher(): Watcher {
  const signals = new WeakMap<Element, Signal<boolean>>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const its = signals.get(target)
        // whoever is in it by keyboard stays there
        if (its) its.value = isIntersecting || target.contains(document.activeElement)
      }
    },
    { rootMargin: margin },
  )
  return {
    watch(box, inSight) {
      signals.set(box, inSight)
      observer.observe(box)
      return () => observer.unobserve(box)
    },
    end: () => observer.disconnect(),
  }
}

function Place({ id, watch }: { readonly id: string; readonly watch: Watcher['watch'] }) {
  const box = useRef<HTMLLIElement>(null)
  const inSight = useSignal(false)
  useEffect(() => (box.current ? watch(box.current, inSight) : undefined), [])
  const its = cardOf(id)
  return (
    <li ref={box} class="overview-card">
      <h2 title={id}>{id}</h2>
      {inSight.value && its && <CardBody its={its} />}
    </li>
  )
}

export function Cards() {
  const { watch, end } = useMemo(watcher, [])
  useEffect(() => end, [])
  return (
    <ul class="overview-cards" {...stillness}>
      {inOrder.value.map((id) => (
        <Place key={id} id={id} watch={watch} />
      ))}
    </ul>
  )
}
