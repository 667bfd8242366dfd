// The screen: xterm, without what a program in a container could use to reach beyond it. Links, titles, the clipboard and reports of the
// window are off; all else is text in cells.
import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { keepToPolicy } from './policy-styles.ts'

export interface Screen {
  readonly columns: number
  readonly rows: number
  /** resolves when it is drawn, or waits to be */
  write(data: string | Uint8Array, shown?: () => void): void
  fit(): void
  focus(): void
  paint(): void
  setReader(isOn: boolean): void
  /** of the text before: modes that a program has left behind */
  settle(): void
  close(): void
}

export interface ScreenEvents {
  readonly typed: (data: string | Uint8Array) => void
  readonly resized: (columns: number, rows: number) => void
  /** the way out for those who use the keyboard */
  readonly left: () => void
}

/** links, colours of the host, titles, and the clipboard of its user */
const offOsc = [0, 1, 2, 8, 52]

/** the colours of the theme, as the browser computes them */
function themeOf(box: HTMLElement): ITheme {
  const probe = box.appendChild(document.createElement('i'))
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const theme = {
    background: colour('surface'),
    foreground: colour('text'),
    cursor: colour('accent'),
    cursorAccent: colour('surface'),
    selectionBackground: colour('accent-edge'),
    selectionInactiveBackground: colour('border-color'),
  }
  probe.remove()
  return theme
}

const isWayOut = ({ key, ctrlKey, shiftKey }: KeyboardEvent): boolean => ctrlKey && shiftKey && key === 'F6'
const isCopy = ({ code, ctrlKey, shiftKey }: KeyboardEvent): boolean => ctrlKey && shiftKey && code === 'KeyC'

function watchKeys(terminal: Terminal, left: () => void) {
  terminal.attachCustomKeyEventHandler((event) => {
    if (isCopy(event) && terminal.hasSelection()) {
      event.preventDefault()
      if (event.type === 'keydown') void navigator.clipboard.writeText(terminal.getSelection()).catch(() => {})
      return false
    }
    if (!isWayOut(event)) return true
    event.preventDefault()
    if (event.type === 'keydown') left()
    return false
  })
}

function createTerminal(box: HTMLElement): Terminal {
  const terminal = new Terminal({
    fontFamily: getComputedStyle(box).fontFamily,
    fontSize: 13,
    scrollback: 5_000,
    minimumContrastRatio: 4.5,
    theme: themeOf(box),
    windowOptions: {},
    linkHandler: { activate: () => {} },
    logLevel: 'off',
  })
  for (const code of offOsc) terminal.parser.registerOscHandler(code, () => true)
  return terminal
}

const bytesOf = (binary: string): Uint8Array => Uint8Array.from(binary, (one) => one.charCodeAt(0))

export function openScreen(box: HTMLElement, { typed, resized, left }: ScreenEvents): Screen {
  const end = keepToPolicy()
  const terminal = createTerminal(box)
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(box)
  fit.fit()
  watchKeys(terminal, left)
  terminal.onData(typed)
  terminal.onBinary((data) => typed(bytesOf(data)))
  terminal.onResize(({ cols, rows }) => resized(cols, rows))
  return {
    get columns() {
      return terminal.cols
    },
    get rows() {
      return terminal.rows
    },
    write: (data, shown) => terminal.write(data, shown),
    fit: () => fit.fit(),
    focus: () => terminal.focus(),
    paint: () => void (terminal.options.theme = themeOf(box)),
    setReader: (isOn) => void (terminal.options.screenReaderMode = isOn),
    settle: () => terminal.write('\u001b[?1049l\u001b[!p\r\n'),
    close() {
      terminal.dispose()
      end()
    },
  }
}
