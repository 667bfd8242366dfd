// A value of a response: null says null, an absent one says so, and text by others stays text.
import { useSignal } from '@preact/signals'
import { counted } from '../../../../../base/console/format.ts'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { shortText } from './columns.ts'
import { Digits, type ExactJson } from './exact-json.ts'
import { JsonTree } from './json-tree.tsx'

export function ShortValue({ value }: { readonly value: ExactJson | undefined }) {
  const text = shortText(value)
  if (value === undefined) return <span class="soft explorer-absent">{text}</span>
  if (value === '') return <span class="soft">""</span>
  if (typeof value === 'string') return <UntrustedText text={text} />
  if (value === null || typeof value === 'boolean') return <span class="explorer-literal">{text}</span>
  if (value instanceof Digits) return <span class="number">{text}</span>
  return <UntrustedText mono text={text} />
}

/** characters shown at once */
const most = 600

function LongText({ text }: { readonly text: string }) {
  const isWhole = useSignal(false)
  if (text.length <= most) return <UntrustedText text={text} />
  return (
    <>
      <UntrustedText text={isWhole.value ? text : `${text.slice(0, most)}…`} />{' '}
      <button type="button" class="explorer-more-text" onClick={() => (isWhole.value = !isWhole.value)}>
        {isWhole.value ? 'Show less' : `Show ${counted(text.length - most, 'more character')}`}
      </button>
    </>
  )
}

export function WholeValue({ value }: { readonly value: ExactJson | undefined }) {
  if (typeof value === 'string' && value !== '') return <LongText text={value} />
  if (typeof value === 'object' && value !== null && !(value instanceof Digits)) return <JsonTree value={value} />
  return <ShortValue value={value} />
}
