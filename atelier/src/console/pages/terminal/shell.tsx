// The shell of a terminal: it lives as long as the page is open and connected.
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { type RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Checkbox } from '../../../../../base/console/parts/field.tsx'
import { theme } from '../../../../../base/console/theme.ts'
import { useWindowEvent } from '../../../../../base/console/window-event.ts'
import { connect, type Connection } from './connection.ts'
import { openScreen, type Screen } from './screen.ts'
import './terminal.css'

type State = { readonly name: 'connecting' | 'open' } | { readonly name: 'ended'; readonly why: string }

/** pieces of pasted text go in messages that the service takes */
const pieceLetters = 16_384

function piecesOf(data: string | Uint8Array): readonly (string | Uint8Array)[] {
  if (data.length <= pieceLetters) return [data]
  const pieces: (string | Uint8Array)[] = []
  for (let at = 0; at < data.length;) {
    let end = at + pieceLetters
    // the halves of a character stay together
    if (typeof data === 'string' && /[\uD800-\uDBFF]/.test(data.charAt(end - 1))) end += 1
    pieces.push(data.slice(at, end))
    at = end
  }
  return pieces
}

function useTerminal(id: string) {
  const box = useRef<HTMLDivElement>(null)
  const wayOut = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen | undefined>(undefined)
  const connection = useRef<Connection | undefined>(undefined)
  const state = useSignal<State>({ name: 'connecting' })
  const open = () => {
    const shown = screen.current
    if (!shown) return
    state.value = { name: 'connecting' }
    connection.current = connect(
      { containerId: id, columns: shown.columns, rows: shown.rows },
      {
        opened: () => void (state.value = { name: 'open' }),
        output: (data, done) => shown.write(data, done),
        ended: (why) => void (state.value = { name: 'ended', why }),
      },
    )
  }
  const again = () => {
    screen.current?.settle()
    open()
    screen.current?.focus()
  }
  useEffect(() => {
    const made = openScreen(box.current as HTMLDivElement, {
      typed: (data) => piecesOf(data).forEach((piece) => connection.current?.send(piece)),
      resized: (columns, rows) => connection.current?.resize(columns, rows),
      left: () => wayOut.current?.querySelector('button')?.focus(),
    })
    screen.current = made
    const sizes = new ResizeObserver(() => made.fit())
    sizes.observe(box.current as HTMLDivElement)
    open()
    made.focus()
    return () => {
      sizes.disconnect()
      connection.current?.close()
      made.close()
    }
  }, [id])
  return { box, wayOut, screen, connection, state, again }
}

/** the system may change its theme, too */
function usePaint(screen: RefObject<Screen | undefined>) {
  const paint = () => screen.current?.paint()
  // the page gets its theme by the same signal
  useSignalEffect(() => void (theme.value, requestAnimationFrame(paint)))
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', paint)
    return () => system.removeEventListener('change', paint)
  }, [])
}

const texts = { connecting: 'Connecting…', open: 'Connected.' } as const

/** those that a phone has no keys for */
const keys = { Esc: '\u001b', Tab: '\t', 'Ctrl+C': '\u0003', 'Ctrl+D': '\u0004', '↑': '\u001b[A', '↓': '\u001b[B' }

function Keys({ press }: { readonly press: (data: string) => void }) {
  return (
    <div class="terminal-keys" role="group" aria-label="Keys">
      {Object.entries(keys).map(([name, data]) => (
        <Button key={name} onClick={() => press(data)}>
          {name}
        </Button>
      ))}
    </div>
  )
}

function Reader({ screen }: { readonly screen: RefObject<Screen | undefined> }) {
  const isOn = useSignal(false)
  const choose = (checked: boolean) => {
    isOn.value = checked
    screen.current?.setReader(checked)
  }
  return <Checkbox label="Read output out" checked={isOn.value} onChange={choose} />
}

function StateLine({ state }: { readonly state: Signal<State> }) {
  const now = state.value
  return <p role="status">{now.name === 'ended' ? now.why : texts[now.name]}</p>
}

export default function Shell({ id }: { readonly id: string }) {
  const { box, wayOut, screen, connection, state, again } = useTerminal(id)
  usePaint(screen)
  const isOpen = state.value.name === 'open'
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { isActive: isOpen })
  const disconnect = () => {
    connection.current?.close()
    state.value = { name: 'ended', why: 'You have disconnected. What ran in this terminal was ended.' }
  }
  return (
    <>
      <div class="terminal-state" ref={wayOut}>
        {state.value.name === 'ended' ? (
          <Button kind="main" onClick={again}>
            Connect again
          </Button>
        ) : (
          <Button off={!isOpen} onClick={disconnect}>
            Disconnect
          </Button>
        )}
        <StateLine state={state} />
        <Reader screen={screen} />
      </div>
      <div ref={box} class="terminal-box mono" role="group" aria-label="Terminal" />
      <Keys
        press={(data) => {
          connection.current?.send(data)
          screen.current?.focus()
        }}
      />
      <p class="hint">
        The terminal takes every key but <kbd>Ctrl+Shift+F6</kbd>, which leaves it. <kbd>Ctrl+Shift+C</kbd> copies what
        is selected. All that runs in it ends when you leave this page.
      </p>
    </>
  )
}
