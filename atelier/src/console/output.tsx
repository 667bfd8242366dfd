// Output of a command or a build as it comes: text alone, bounded in memory, at its end unless one has scrolled up.
import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { plainText } from '../../../base/console/parts/display.tsx'
import { whole } from '../../../base/console/format.ts'
import './output.css'

export type Stream = 'stdout' | 'stderr' | 'service'

interface Piece {
  readonly at: number
  readonly stream: Stream
  readonly text: string
}

export interface OutputState {
  readonly pieces: readonly Piece[]
  /** characters that fell out at the beginning */
  readonly dropped: number
}

const mostCharacters = 256 * 1_024
/** pieces of one stream are joined up to this size, so that few elements are drawn */
const joined = 4_096

export interface Output {
  readonly state: Signal<OutputState>
  readonly add: (stream: Stream, text: string) => void
  /** draws what is not drawn yet: nothing more comes */
  readonly end: () => void
}

const nothing: OutputState = { pieces: [], dropped: 0 }

function withinBounds(pieces: Piece[], dropped: number): OutputState {
  let over = pieces.reduce((sum, { text }) => sum + text.length, 0) - mostCharacters
  let gone = dropped
  while (over > 0) {
    const { text = '' } = pieces.shift() ?? {}
    over -= text.length
    gone += text.length
  }
  return { pieces, dropped: gone }
}

/** what comes between two frames of the screen is drawn at once */
export function createOutput(): Output {
  const state = signal(nothing)
  let waiting: Piece[] = []
  let at = 0
  const draw = () => {
    if (waiting.length === 0) return
    const added = waiting
    waiting = []
    state.value = withinBounds([...state.peek().pieces, ...added], state.peek().dropped)
  }
  return {
    state,
    end: draw,
    add(stream, text) {
      const last = waiting.at(-1)
      if (waiting.length === 0) setTimeout(draw, 50)
      if (last?.stream === stream && last.text.length < joined)
        waiting[waiting.length - 1] = { ...last, text: last.text + text }
      else waiting.push({ at: at++, stream, text })
    },
  }
}

const shown = (text: string): string => plainText(text.replaceAll('\r\n', '\n'))

/** what scrolls must be reached by keys */
const reachable = 0
const nearEnd = 40

export function OutputView({ output, label }: { readonly output: Output; readonly label: string }) {
  const box = useRef<HTMLPreElement>(null)
  const follows = useRef(true)
  const { pieces, dropped } = output.state.value
  useEffect(() => {
    if (follows.current) box.current?.scrollTo(0, box.current.scrollHeight)
  }, [pieces])
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { currentTarget: HTMLElement }) => {
    follows.current = scrollTop + clientHeight > scrollHeight - nearEnd
  }
  return (
    <>
      {dropped > 0 && <p class="hint">The first {whole(dropped)} characters are not shown any more.</p>}
      <pre ref={box} class="output" role="region" aria-label={label} tabIndex={reachable} onScroll={onScroll}>
        {pieces.map(({ at, stream, text }) => (
          <span key={at} class={stream}>
            {shown(text)}
          </span>
        ))}
      </pre>
    </>
  )
}
