// What a client may ask for before its command: variables, and a terminal with its size. The library refuses the rest.
import { setTimeout as pause } from 'node:timers/promises'
import type { Session } from 'ssh2'

const variable = /^(LANG|LC_[A-Z]{1,32}|TERM)$/
const terminal = /^[\w.+-]{1,64}$/
/** printable, and short */
const value = /^[^\p{Cc}]{0,256}$/u
const mostColumns = 1_000
const betweenSizesMs = 100

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
  #isResizing = false
  #wanted: { readonly columns: number; readonly rows: number } | undefined

  watch(requests: Session, resize: Resize) {
    requests.on('env', (accept, reject, { key, val }) => {
      const isTaken = variable.test(key) && value.test(val)
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
      this.#wanted = sizeOf(info)
      void this.#resize(resize)
      accept?.()
    })
  }

  /** one call at a time, with the last size */
  async #resize(resize: Resize) {
    if (this.#isResizing) return
    this.#isResizing = true
    while (this.#wanted) {
      const { columns, rows } = this.#wanted
      this.#wanted = undefined
      // a size that the engine does not take is no end
      await resize(columns, rows).catch(() => {})
      // of two sizes that come close together Podman may lose the last
      await pause(betweenSizesMs)
    }
    this.#isResizing = false
  }
}
