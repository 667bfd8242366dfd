// The protocol over standard input and output: one caller for the life of the process. Nothing but the protocol is written
// to standard output.
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Glass } from './port.ts'
import { createServer, type Shop } from './server.ts'

export interface Served {
  /** when whoever asked has gone */
  readonly ended: Promise<void>
}

/** the checker's own words for a line that is no message fill a screen */
const wordsOf = ({ name, message }: Error): string =>
  name === 'ZodError' ? 'What came is no message of the protocol.' : message

/** `complain` hears what is wrong with the lines themselves, and with whoever takes the answers */
export function serveOverStdio(glass: Glass, shop: Shop, complain: (words: string) => void): Served {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const transport = new StdioServerTransport()
  const close = transport.close.bind(transport)
  // it closes by itself, too: when nobody takes the answers, or a line has no end. It hears nothing more then
  transport.close = () => close().finally(resolve)
  const onerror = (error: Error) => complain(wordsOf(error))
  const handle = serveStdio(() => createServer(glass, shop), { transport, maxSubscriptions: 0, onerror })
  process.stdin.once('end', () => void handle.close().then(resolve, resolve))
  return { ended }
}
