// The connection of a terminal: bytes both ways, and why it ended in words.
import { ask, queryOf } from '../../../../../base/console/api.ts'
import { ApiRefusal, asRefusal } from '../../../../../base/console/refusal.ts'
import { explain } from '../../explain.ts'

/** so much output may be under way; what is shown is told in parts */
const windowBytes = 262_144
const toldBytes = 65_536

export interface ConnectionEvents {
  readonly opened: () => void
  /** `shown` is called when the screen has taken it */
  readonly output: (data: Uint8Array, shown: () => void) => void
  readonly ended: (why: string) => void
}

export interface Connection {
  send(data: string | Uint8Array): void
  resize(columns: number, rows: number): void
  close(): void
}

export interface TerminalPlace {
  readonly containerId: string
  readonly columns: number
  readonly rows: number
}

interface Said {
  readonly type: 'start' | 'exit' | 'error'
  readonly exitCode?: number
  readonly signal?: string | null
  readonly error?: {
    readonly type: string
    readonly code?: string
    readonly message: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

const words: Readonly<Record<number, string>> = {
  1012: 'The service is restarting. Connect again in a moment.',
  1013: 'The service is busy. Connect again in a moment.',
  4409: 'The container has ended.',
}
const lost = 'The connection was lost, and what ran in this terminal was ended.'

function wordsOf(said: Said): string | undefined {
  if (said.type === 'exit')
    return `The shell has ended with exit code ${said.exitCode}${said.signal ? ` (${said.signal})` : ''}.`
  if (!said.error) return undefined
  const { type, code = type, message, details = {} } = said.error
  return explain({ code, message, details }) ?? message
}

/** A browser does not tell a page why a WebSocket was refused: the same request without its handshake does. */
async function reasonOf(path: string): Promise<string> {
  try {
    await ask(path)
  } catch (error) {
    const { code, message } = error instanceof ApiRefusal ? error : asRefusal(error)
    if (code !== 'upgrade_required') return message
  }
  return 'The connection could not be opened. Something between the browser and the service may not let WebSockets pass.'
}

export function connect(
  { containerId, columns, rows }: TerminalPlace,
  { opened, output, ended }: ConnectionEvents,
): Connection {
  const path = `/containers/terminal${queryOf({ containerId, columns, rows, window: windowBytes })}`
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`)
  socket.binaryType = 'arraybuffer'
  let [wasOpen, isLeft, shownBytes] = [false, false, 0]
  let why: string | undefined
  const tell = (message: object) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const shown = (bytes: number) => {
    shownBytes += bytes
    if (shownBytes < toldBytes) return
    tell({ type: 'taken', bytes: shownBytes })
    shownBytes = 0
  }
  socket.addEventListener('open', () => {
    wasOpen = true
    opened()
  })
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') why = wordsOf(JSON.parse(data) as Said) ?? why
    else output(new Uint8Array(data), () => shown(data.byteLength))
  })
  socket.addEventListener('close', ({ code }) => {
    if (isLeft) return
    // the session may have ended: the request finds out, and the console asks to sign in
    if (!wasOpen || code === 4401) void reasonOf(path).then(ended)
    else ended(why ?? words[code] ?? lost)
  })
  return {
    send(data) {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data))
    },
    resize: (toColumns, toRows) => tell({ type: 'resize', columns: toColumns, rows: toRows }),
    close() {
      isLeft = true
      socket.close()
    },
  }
}
