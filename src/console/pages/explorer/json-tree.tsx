// JSON with its kinds told apart, to be folded and unfolded. What is folded is not drawn, so that a long answer is quick.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { counted, whole as grouped } from '../../numbers.ts'
import { plainText } from '../../parts/foreign.tsx'
import { Digits, insideOf, isBranch, type Json, linesOf, Members, mostInside, unfoldable } from './json.ts'

/** of a whole, with more lines than these only what is outside is unfolded at first */
const quick = 1_500
/** what has more lines than these is folded at first: in a whole, and in a fact */
const roomInWhole = 120
const roomInFact = 24
/** of a text, at once */
const seen = 400

/** a set: those that are unfolded */
type Fold = 'as it fits' | 'none' | ReadonlySet<Json>

interface NodeProps {
  readonly value: Json
  /** what stands before it on its line */
  readonly name?: string | undefined
  readonly last: boolean
  readonly depth: number
  readonly fold: Fold
  readonly room: number
}

function Text({ text }: { readonly text: string }) {
  const whole = useSignal(false)
  const quoted = plainText(JSON.stringify(text.length > seen && !whole.value ? text.slice(0, seen) : text))
  return (
    <>
      <bdi class="json-string">{quoted}</bdi>
      {text.length > seen && (
        <button type="button" class="explorer-more-text" onClick={() => (whole.value = !whole.value)}>
          {whole.value ? 'less' : counted(text.length - seen, 'more letter')}
        </button>
      )}
    </>
  )
}

function Scalar({ value }: { readonly value: Json }) {
  if (typeof value === 'string') return <Text text={value} />
  if (value instanceof Digits) return <span class="json-number">{value.text}</span>
  return <span class="json-literal">{JSON.stringify(value)}</span>
}

const Name = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : (
    <>
      <bdi class="json-name">{plainText(JSON.stringify(name))}</bdi>:{' '}
    </>
  )

interface FoldedProps extends NodeProps {
  readonly value: Members | readonly Json[]
}

function Folded({ value, name, last, depth, fold, room }: FoldedProps) {
  const fits = () => depth < 2 || linesOf(value, room) <= room
  const open = useSignal(depth === 0 || (fold === 'as it fits' && fits()) || (fold instanceof Set && fold.has(value)))
  const inside = insideOf(value)
  const most = useSignal(mostInside)
  const left = inside.length - most.value
  const [begin, end] = value instanceof Members ? '{}' : '[]'
  const rest = last ? '' : ','
  return (
    <details open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        {begin}
        {!open.value && (
          <>
            <span class="soft"> {inside.length} </span>
            {end}
            {rest}
          </>
        )}
      </summary>
      {open.value && (
        <>
          <div class="json-inside">
            {inside.slice(0, most.value).map(([key, one], i) => (
              <Node
                key={i}
                {...{ value: one, name: key, last: i === inside.length - 1, depth: depth + 1, fold, room }}
              />
            ))}
            {left > 0 && (
              <button type="button" class="explorer-more-text" onClick={() => (most.value += mostInside)}>
                {grouped(Math.min(left, mostInside))} of {grouped(left)} more
              </button>
            )}
          </div>
          <div>
            {end}
            {rest}
          </div>
        </>
      )}
    </details>
  )
}

function Node(props: NodeProps) {
  const { value, name, last } = props
  if (isBranch(value)) return <Folded {...props} value={value} />
  const text = value instanceof Members ? '{}' : Array.isArray(value) ? '[]' : undefined
  return (
    <div class="json-line">
      <Name name={name} />
      {text ?? <Scalar value={value} />}
      {last ? '' : ','}
    </div>
  )
}

interface JsonTreeProps {
  readonly value: Json
  readonly fold?: Fold
  readonly room?: number
}

export function JsonTree({ value, fold = 'as it fits', room = roomInFact }: JsonTreeProps) {
  return (
    <div class="explorer-json">
      <Node {...{ value, fold, last: true, depth: 0, room: linesOf(value, quick) > quick ? 0 : room }} />
    </div>
  )
}

interface JsonBoxProps {
  readonly label: string
  readonly value: Json
  /** above it, beside what folds */
  readonly tools: ComponentChildren
}

/** a whole body, which scrolls inside */
export function JsonBox({ label, value, tools }: JsonBoxProps) {
  const fold = useSignal<Fold>('as it fits')
  const turn = useSignal(0)
  const isCut = useSignal(false)
  const set = (to: Fold) => {
    fold.value = to
    turn.value++
    isCut.value = false
  }
  const unfold = () => {
    const { branches, isAll } = unfoldable(value)
    set(branches)
    isCut.value = !isAll
  }
  return (
    <>
      <div class="explorer-tools">
        <button type="button" class="button quiet" onClick={unfold}>
          Unfold all
        </button>
        <button type="button" class="button quiet" onClick={() => set('none')}>
          Fold all
        </button>
        {tools}
        <span class="soft" role="status">
          {isCut.value && 'There is too much to unfold all at once: the innermost is still folded.'}
        </span>
      </div>
      <div class="explorer-box" role="region" aria-label={label}>
        <JsonTree key={turn.value} value={value} fold={fold.value} room={roomInWhole} />
      </div>
    </>
  )
}
