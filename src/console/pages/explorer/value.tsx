// A value on the page: what is null says null, what is not there says so, and the words of strangers stay words.
import { useSignal } from '@preact/signals'
import { counted } from '../../numbers.ts'
import { Foreign } from '../../parts/foreign.tsx'
import { shortText } from './columns.ts'
import { Digits, type Json } from './json.ts'
import { JsonTree } from './json-tree.tsx'

/** in a cell: short, whatever it holds */
export function ShortValue({ value }: { readonly value: Json | undefined }) {
  const text = shortText(value)
  if (value === undefined) return <span class="soft explorer-absent">{text}</span>
  if (value === '') return <span class="soft">""</span>
  if (typeof value === 'string') return <Foreign text={text} />
  if (value === null || typeof value === 'boolean') return <span class="explorer-literal">{text}</span>
  if (value instanceof Digits) return <span class="number">{text}</span>
  return (
    <span class="mono">
      <Foreign text={text} />
    </span>
  )
}

/** of a text, at once */
const seen = 600

function LongText({ text }: { readonly text: string }) {
  const whole = useSignal(false)
  if (text.length <= seen) return <Foreign text={text} />
  return (
    <>
      <Foreign text={whole.value ? text : `${text.slice(0, seen)}…`} />{' '}
      <button type="button" class="explorer-more-text" onClick={() => (whole.value = !whole.value)}>
        {whole.value ? 'Show less' : `Show ${counted(text.length - seen, 'more letter')}`}
      </button>
    </>
  )
}

/** all of it */
export function WholeValue({ value }: { readonly value: Json | undefined }) {
  if (typeof value === 'string' && value !== '') return <LongText text={value} />
  if (typeof value === 'object' && value !== null && !(value instanceof Digits)) return <JsonTree value={value} />
  return <ShortValue value={value} />
}
