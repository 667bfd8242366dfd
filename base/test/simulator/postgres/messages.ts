// Messages of PostgreSQL's protocol, version 3, as strings of bytes: those of a client are read, those of a server are written.
import { bytesOf } from '../socket.ts'

/** as a client sends it, and as a row holds it; a boolean only in answers */
export type PostgresValue = string | Uint8Array | null
export type Cell = PostgresValue | number | boolean

export type Message =
  | { readonly kind: 'startup'; readonly settings: ReadonlyMap<string, string> }
  | { readonly kind: 'query' | 'parse'; readonly text: string }
  | { readonly kind: 'bind'; readonly values: readonly PostgresValue[] }
  | { readonly kind: 'describe' | 'execute' | 'sync' | 'terminate' }

const [protocol3, mostAscii] = [196_608, /^[\0-\x7f]*$/]
const textOf = (bytes: string): string =>
  mostAscii.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')

const int2At = (bytes: string, at: number): number => (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1)
const int4At = (bytes: string, at: number): number => (int2At(bytes, at) << 16) | int2At(bytes, at + 2)
const endOfText = (bytes: string, at: number): number => bytes.indexOf('\0', at)

function readStartup(body: string): Message {
  if (int4At(body, 0) !== protocol3) throw new Error('this way to begin a connection is not known here')
  const words = textOf(body.slice(4)).split('\0')
  const pairs = words.flatMap((word, i) => (i % 2 === 0 && word !== '' ? [[word, words[i + 1] ?? ''] as const] : []))
  return { kind: 'startup', settings: new Map(pairs) }
}

/** texts, and bytes where the client says so */
function readBind(body: string): Message {
  let at = endOfText(body, endOfText(body, 0) + 1) + 1
  const formats = Array.from({ length: int2At(body, at) }, (_, i) => int2At(body, at + 2 + 2 * i))
  at += 2 + 2 * formats.length
  const count = int2At(body, at)
  at += 2
  const values: PostgresValue[] = []
  for (let i = 0; i < count; i++) {
    const length = int4At(body, at)
    const bytes = body.slice(at + 4, at + 4 + Math.max(0, length))
    at += 4 + bytes.length
    const isBinary = (formats.length === 1 ? formats[0] : formats[i]) === 1
    values.push(length < 0 ? null : isBinary ? new Uint8Array(Buffer.from(bytes, 'latin1')) : textOf(bytes))
  }
  return { kind: 'bind', values }
}

function readMessage(type: string, body: string): Message {
  if (type === 'Q') return { kind: 'query', text: textOf(body.slice(0, -1)) }
  if (type === 'P') {
    const at = endOfText(body, 0) + 1
    return { kind: 'parse', text: textOf(body.slice(at, endOfText(body, at))) }
  }
  if (type === 'B') return readBind(body)
  if (type === 'D') return { kind: 'describe' }
  if (type === 'E') return { kind: 'execute' }
  if (type === 'S') return { kind: 'sync' }
  if (type === 'X') return { kind: 'terminate' }
  throw new Error(`the message ${type} is not known here`)
}

/** the messages of a connection, in whatever pieces they arrive */
export function createMessageReader() {
  let rest = ''
  let isBegun = false
  return (piece: string): Message[] => {
    rest += piece
    const messages: Message[] = []
    for (;;) {
      const head = isBegun ? 1 : 0
      if (rest.length < head + 4) return messages
      const end = head + int4At(rest, head)
      if (rest.length < end) return messages
      const body = rest.slice(head + 4, end)
      messages.push(isBegun ? readMessage(rest.charAt(0), body) : readStartup(body))
      isBegun = true
      rest = rest.slice(end)
    }
  }
}

const int2 = (value: number): string => String.fromCharCode((value >> 8) & 255, value & 255)
const int4 = (value: number): string => int2(value >> 16) + int2(value)
const text0 = (text: string): string => `${bytesOf(text)}\0`
const message = (type: string, body: string): string => `${type}${int4(body.length + 4)}${body}`

export type ColumnType = 'bool' | 'bytea' | 'int8' | 'text'
const oids: Readonly<Record<ColumnType, number>> = { bool: 16, bytea: 17, int8: 20, text: 25 }

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

/** as it is sent */
export function textOfCell(cell: Exclude<Cell, null>): string {
  if (typeof cell === 'boolean') return cell ? 't' : 'f'
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : bytesOf(String(cell))
}

function cellBytes(cell: Cell): string {
  if (cell === null) return int4(-1)
  const bytes = textOfCell(cell)
  return int4(bytes.length) + bytes
}

/** what a server says */
export const says = {
  begun: (): string =>
    message('R', int4(0)) + message('S', text0('client_encoding') + text0('UTF8')) + message('K', int4(1) + int4(1)),
  ready: (status: 'I' | 'T' | 'E'): string => message('Z', status),
  parsed: message('1', '') + message('2', ''),
  columns: (columns: readonly Column[]): string =>
    columns.length === 0
      ? message('n', '')
      : message(
          'T',
          int2(columns.length) +
            columns
              .map(
                ({ name, type }) => text0(name) + int4(0) + int2(0) + int4(oids[type]) + int2(-1) + int4(-1) + int2(0),
              )
              .join(''),
        ),
  row: (cells: readonly Cell[]): string => message('D', int2(cells.length) + cells.map(cellBytes).join('')),
  complete: (tag: string): string => message('C', text0(tag)),
  error: (severity: string, code: string, text: string): string =>
    message('E', `S${text0(severity)}V${text0(severity)}C${text0(code)}M${text0(text)}\0`),
}
