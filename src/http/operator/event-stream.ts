// Server-sent events to one reader: an answer that has no end of its own. What he does not take is not kept for him here.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Exchange } from '../exchange.ts'

export interface Recipient {
  /** false: it is still on its way, and nothing more should be sent before `onTaken` */
  send(bytes: Buffer | string): boolean
  onTaken(taken: () => void): void
  /** told once, whoever ended it; at once where he is gone already */
  onGone(gone: () => void): void
  /** says this, and lets go of him, also where he does not take it */
  end(bytes: Buffer | string): void
}

/** what an operation tells whoever reads */
export type Telling = (recipient: Recipient) => void

export const eventType = 'text/event-stream; charset=utf-8'

/** JSON as it is written here has no end of a line in it, which would be the end of the event */
export const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`

/** what holds up the end of the service for so long has not been read */
const lastWordMs = 250

export interface StreamOptions {
  /** who takes nothing for so long is let go of */
  readonly patienceMs: number
}

export function openStream(exchange: Exchange, reply: FastifyReply, { patienceMs }: StreamOptions): Recipient {
  const { res, req, seen } = exchange
  // proxies keep answers back until they have enough of them
  const head = { ...reply.getHeaders(), 'content-type': eventType, 'x-accel-buffering': 'no' } as OutgoingHttpHeaders
  reply.hijack()
  seen.stream = true
  // written to in the moment in which he leaves
  res.on('error', () => {})
  if (!res.closed) {
    // the socket goes where nothing was taken for so long: there is a sign of life more often than that
    req.socket.setTimeout(patienceMs)
    res.writeHead(200, head)
    res.flushHeaders()
    const leave = () => void res.end()
    exchange.onLeave(leave)
    // a browser closes its half when a page goes, and the place is wanted by the next one
    req.socket.once('end', leave)
    res.once('close', () => req.socket.off('end', leave))
  }
  const isOpen = (): boolean => !res.closed && !res.destroyed && !res.writableEnded
  return {
    send: (bytes) => isOpen() && res.write(bytes),
    onTaken: (taken) => void res.on('drain', taken),
    onGone: (gone) => void (res.closed ? queueMicrotask(gone) : res.once('close', gone)),
    end(bytes) {
      // what he has not taken stands before it
      if (res.writableNeedDrain) res.destroy()
      if (!isOpen()) return
      res.end(bytes)
      const late = setTimeout(() => res.destroy(), lastWordMs)
      res.once('close', () => clearTimeout(late))
    },
  }
}
