// JSON as a tree to expand and collapse. What is collapsed is not drawn, so that a long response is quick.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { counted, whole } from '../../../../../base/console/format.ts'
import { plainText } from '../../../../../base/console/parts/display.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Digits, type ExactJson, expandable, insideOf, isBranch, linesOf, Members, mostInside } from './exact-json.ts'

/** of a body with more lines than these only the outermost level is expanded at first */
const quick = 1_500
/** a branch with more lines than these is collapsed at first: in a body, and in a field */
const mostInBody = 120
const mostInField = 24
/** characters shown at once */
const mostText = 400

/** a set: the expanded branches */
type Expansion = 'as it fits' | 'none' | ReadonlySet<ExactJson>

interface NodeProps {
  readonly value: ExactJson
  /** before it, on its line */
  readonly name?: string | undefined
  readonly isLast: boolean
  readonly depth: number
  readonly expansion: Expansion
  readonly room: number
}

function Text({ text }: { readonly text: string }) {
  const isWhole = useSignal(false)
  const isLong = text.length > mostText
  const quoted = plainText(JSON.stringify(isLong && !isWhole.value ? text.slice(0, mostText) : text))
  return (
    <>
      <bdi class="json-string">{quoted}</bdi>
      {isLong && (
        <button type="button" class="explorer-more-text" onClick={() => (isWhole.value = !isWhole.value)}>
          {isWhole.value ? 'Show less' : counted(text.length - mostText, 'more character')}
        </button>
      )}
    </>
  )
}

function Scalar({ value }: { readonly value: ExactJson }) {
  if (value instanceof Members) return <>{'{}'}</>
  if (Array.isArray(value)) return <>[]</>
  if (typeof value === 'string') return <Text text={value} />
  if (value instanceof Digits) return <span class="json-number">{value.text}</span>
  return <span class="json-literal">{JSON.stringify(value)}</span>
}

const Name = ({ name }: Pick<NodeProps, 'name'>) =>
  name === undefined ? null : (
    <>
      <bdi class="json-name">{plainText(JSON.stringify(name))}</bdi>:{' '}
    </>
  )

interface BranchProps extends NodeProps {
  readonly value: Members | readonly ExactJson[]
}

function isExpandedAtFirst({ value, depth, expansion, room }: BranchProps): boolean {
  if (depth === 0) return true
  if (expansion instanceof Set) return expansion.has(value)
  return expansion === 'as it fits' && (depth < 2 || linesOf(value, room) <= room)
}

function Branch(props: BranchProps) {
  const { value, name, isLast, depth, expansion, room } = props
  const isOpen = useSignal(isExpandedAtFirst(props))
  const inside = insideOf(value)
  const most = useSignal(mostInside)
  const left = inside.length - most.value
  const [open, close] = value instanceof Members ? '{}' : '[]'
  const end = isLast ? close : `${close},`
  return (
    <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        <Name name={name} />
        {open}
        {!isOpen.value && (
          <>
            <span class="soft"> {inside.length} </span>
            {end}
          </>
        )}
      </summary>
      {isOpen.value && (
        <>
          <div class="json-inside">
            {inside.slice(0, most.value).map(([key, one], i) => (
              <Node
                key={i}
                value={one}
                name={key}
                isLast={i === inside.length - 1}
                depth={depth + 1}
                expansion={expansion}
                room={room}
              />
            ))}
            {left > 0 && (
              <button type="button" class="explorer-more-text" onClick={() => (most.value += mostInside)}>
                {whole(Math.min(left, mostInside))} of {whole(left)} more
              </button>
            )}
          </div>
          <div>{end}</div>
        </>
      )}
    </details>
  )
}

function Node(props: NodeProps) {
  const { value, name, isLast } = props
  if (isBranch(value)) return <Branch {...props} value={value} />
  return (
    <div class="json-line">
      <Name name={name} />
      <Scalar value={value} />
      {isLast ? '' : ','}
    </div>
  )
}

interface JsonTreeProps {
  readonly value: ExactJson
  readonly expansion?: Expansion
  readonly room?: number
}

export function JsonTree({ value, expansion = 'as it fits', room = mostInField }: JsonTreeProps) {
  return (
    <div class="explorer-json">
      <Node value={value} isLast depth={0} expansion={expansion} room={linesOf(value, quick) > quick ? 0 : room} />
    </div>
  )
}

interface JsonBoxProps {
  readonly label: string
  readonly value: ExactJson
  /** above it, beside the buttons */
  readonly tools: ComponentChildren
}

/** a whole body, which scrolls inside */
export function JsonBox({ label, value, tools }: JsonBoxProps) {
  const expansion = useSignal<Expansion>('as it fits')
  const turn = useSignal(0)
  const isCut = useSignal(false)
  const set = (to: Expansion, cut = false) => {
    expansion.value = to
    turn.value++
    isCut.value = cut
  }
  const expandAll = () => {
    const { branches, isAll } = expandable(value)
    set(branches, !isAll)
  }
  return (
    <>
      <div class="explorer-tools">
        <Button kind="quiet" onClick={expandAll}>
          Expand all
        </Button>
        <Button kind="quiet" onClick={() => set('none')}>
          Collapse all
        </Button>
        {tools}
        <span class="soft" role="status">
          {isCut.value && 'Too large to expand completely: the innermost levels are still collapsed.'}
        </span>
      </div>
      <div class="explorer-box" role="region" aria-label={label}>
        <JsonTree key={turn.value} value={value} expansion={expansion.value} room={mostInBody} />
      </div>
    </>
  )
}
