// Server-sent events to one listener. Events are not queued for slow listeners.
import type { Exchange } from './exchange.ts'

export interface Recipient {
  /** false: the buffer is full, so send nothing before `onTaken` */
  send(bytes: Buffer | string): boolean
  onTaken(taken: () => void): void
  onGone(gone: () => void): void
  end(bytes: Buffer | string): void
}

export type Telling = (recipient: Recipient) => void

export const eventType = 'text/event-stream; charset=utf-8'

/** `data`: one line, since a line break would end the event */
export const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`

const lastWordMs = 250

export interface StreamOptions {
  readonly patienceMs: number
}

export function openStream(exchange: Exchange, { patienceMs }: StreamOptions): Recipient {
  const { res, req, record } = exchange
  record.stream = true
  // a write may meet a socket that closes
  res.on('error', () => {})
  if (!res.closed) {
    // closes the socket of a listener who reads nothing: heartbeats come more often
    req.socket.setTimeout(patienceMs)
    exchange.startStream(eventType)
    const leave = () => void res.end()
    exchange.onLeave(leave)
    // a browser closes its half when it leaves a page, and the next page needs the slot
    req.socket.once('end', leave)
    res.once('close', () => req.socket.off('end', leave))
  }
  const isOpen = (): boolean => !res.closed && !res.destroyed && !res.writableEnded
  return {
    send: (bytes) => isOpen() && res.write(bytes),
    onTaken: (taken) => void res.on('drain', taken),
    onGone: (gone) => void (res.closed ? queueMicrotask(gone) : res.once('close', gone)),
    end(bytes) {
      if (res.writableNeedDrain) res.destroy()
      if (!isOpen()) return
      res.end(bytes)
      const late = setTimeout(() => res.destroy(), lastWordMs)
      res.once('close', () => clearTimeout(late))
    },
  }
}
