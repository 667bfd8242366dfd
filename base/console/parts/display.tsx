// What is shown as it is: text by others, states, facts and times.
import type { ComponentChildren } from 'preact'
import { computed, signal } from '@preact/signals'
import type { Tone } from './tone.ts'
import { nowMs } from '../clock.ts'
import { exactTime, relativeTime, timeOfDay } from '../format.ts'

/** characters that change how what follows is read, or that cannot be seen */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** joiners belong to letters and pictures of many scripts */
const harmless = new Set(['\u200C', '\u200D', '\t', '\n'])

const asNumber = (character: string): string =>
  `\u27E8U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}\u27E9`

export const plainText = (text: string): string =>
  text.replace(hidden, (character) => (harmless.has(character) ? character : asNumber(character)))

export function UntrustedText({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
  return <bdi class={mono ? 'mono' : undefined}>{plainText(text)}</bdi>
}

/** a description by the API: plain words, with names between backticks */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

interface FactProps {
  readonly name: ComponentChildren
  readonly title?: string | undefined
  readonly children: ComponentChildren
}

export function Fact({ name, title, children }: FactProps) {
  return (
    <>
      <dt title={title}>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** by name, in order */
export const Facts = ({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of).map(([name, value]) => (
      <Fact key={name} name={name}>
        {value}
      </Fact>
    ))}
  </dl>
)

const turn = signal(0)
const now = computed(() => {
  void turn.value
  return nowMs()
})
setInterval(() => {
  if (!document.hidden) turn.value++
}, 5_000)

interface RelativeTimeProps {
  readonly iso: string | null | undefined
  readonly never?: string
}

export function RelativeTime({ iso, never = 'never' }: RelativeTimeProps) {
  if (!iso) return <span class="soft">{never}</span>
  return (
    // in a live region it is not read out again with every tick
    <time dateTime={iso} title={`${exactTime(iso)} (${iso})`} aria-live="off">
      {relativeTime(new Date(iso).getTime() - now.value)}
    </time>
  )
}

export function AsOf({ iso }: { readonly iso: string }) {
  return (
    <p class="as-of">
      Last updated{' '}
      <time dateTime={iso} title={exactTime(iso)}>
        {timeOfDay(iso)}
      </time>
      . Retrying.
    </p>
  )
}
