// What a client may ask for before its command: variables, and a terminal with its size. The library refuses the rest.
import type { Session } from 'ssh2'
import { TerminalSizes } from '../exec/sizes.ts'

const variable = /^(LANG|LC_[A-Z]{1,32}|TERM)$/
const terminal = /^[\w.+-]{1,64}$/
/** printable, and short */
const value = /^[^\p{Cc}]{0,256}$/u
const mostColumns = 1_000
/** a client sends its locale: some 15 */
const mostVariables = 32

type Resize = (columns: number, rows: number) => Promise<void>

/** a client that does not know its size says 0 */
const bounded = (size: number, usual: number): number => (size === 0 ? usual : Math.min(size, mostColumns))
const sizeOf = ({ cols, rows }: { readonly cols: number; readonly rows: number }) => ({
  columns: bounded(cols, 80),
  rows: bounded(rows, 24),
})

export class ChannelWishes {
  readonly env: Record<string, string> = {}
  tty: { readonly columns: number; readonly rows: number } | undefined

  watch(requests: Session, resize: Resize) {
    const sizes = new TerminalSizes(resize)
    requests.on('env', (accept, reject, { key, val }) => {
      const hasPlace = key in this.env || Object.keys(this.env).length < mostVariables
      const isTaken = hasPlace && variable.test(key) && value.test(val)
      if (isTaken) this.env[key] = val
      const reply = isTaken ? accept : reject
      reply?.()
    })
    requests.on('pty', (accept, _reject, info) => {
      this.tty = sizeOf(info)
      // the types leave it out
      const { term } = info as unknown as { readonly term?: string }
      if (term !== undefined && terminal.test(term)) this.env['TERM'] = term
      accept?.()
    })
    requests.on('window-change', (accept, _reject, info) => {
      const { columns, rows } = sizeOf(info)
      sizes.want(columns, rows)
      accept?.()
    })
  }
}
