// Tests for the doctors whether a service can listen at an address, or whether one of ours listens there already.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import type { Address } from '../core/setting-values.ts'

/** Returns the code of the error; undefined if the address is free. */
export const tryToListen = ({ host, port }: Address): Promise<string | undefined> =>
  new Promise((settle) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => settle(undefined)))
  })

const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
const mostBytes = 4_096
/** another program may accept the connection and never answer */
const mostMs = 1_000

/** Every port for HTTP of our services answers /healthz without authentication. */
export async function isServiceAt({ host, port }: Address, end?: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([AbortSignal.timeout(mostMs), ...(end ? [end] : [])])
  const asked = request({ host: everywhere[host] ?? host, port, path: '/healthz', agent: false, signal }).end()
  asked.on('error', () => {})
  let text = ''
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    for await (const part of answer.setEncoding('latin1')) {
      text += String(part)
      if (text.length > mostBytes) break
    }
  } catch {
    return false
  }
  return text === '{"status":"ok"}'
}

/** A wildcard includes every address of the machine; `::` those of IPv4, too. */
const takesIn = (one: Address, { host }: Address): boolean =>
  one.host === host || one.host === '::' || (one.host === '0.0.0.0' && !host.includes(':'))

export const isSamePlace = (one: Address, other: Address): boolean =>
  one.port !== 0 && one.port === other.port && (takesIn(one, other) || takesIn(other, one))
