// MCP over standard input and output, for one caller. Only the protocol writes to standard output.
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

/** The validator's own message about a line that is no message fills a screen. */
const messageOf = ({ name, message }: Error): string =>
  name === 'ZodError' ? 'A line on standard input is not a message of the protocol.' : message

/** Resolves when the caller is gone. */
export function serveOverStdio(createServer: () => Server, warn: (text: string) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const transport = new StdioServerTransport()
  const close = transport.close.bind(transport)
  // the transport also closes by itself: on a broken pipe, or a line that is too long
  transport.close = () => close().finally(resolve)
  const onerror = (error: Error) => warn(messageOf(error))
  const handle = serveStdio(createServer, { transport, maxSubscriptions: 0, onerror })
  process.stdin.once('end', () => void handle.close().then(resolve, resolve))
  return promise
}
