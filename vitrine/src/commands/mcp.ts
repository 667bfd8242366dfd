// `vitrine mcp`: an MCP server over standard input and output that reads through a running service.
import { Vitrine } from '../../client/vitrine.ts'
import { serveOverStdio } from '../../../base/agents/over-stdio.ts'
import { createMcpServer } from '../agents/server.ts'
import { type ErrorBody, type Reader, type KeyReach, ReadRefused } from '../agents/reader.ts'
import { routes } from '../catalogue/index.ts'
import { version } from '../version.ts'
import { parseExactly } from '../../../base/core/exact-numbers.ts'
import { redact } from '../../../base/core/redact.ts'
import { exitOnSignal } from '../../../base/cli/exit-on-signal.ts'
import { say } from '../../../base/cli/output.ts'
import { type ClientTarget, type ClientOptions, readClientOptions } from './read/client-options.ts'
import { UsageError } from './read/exits.ts'
import { failureOf } from './read/failure.ts'

/** grants seldom change, and each question counts toward the rate limit */
const holderMs = 15_000

/** undefined for a defect */
function bodyOf(error: unknown): ErrorBody | undefined {
  const failure = failureOf(error)
  if (!failure) return undefined
  const { requestId, docUrl, ...said } = failure
  return { ...said, ...(requestId !== '' && { requestId }), ...(docUrl !== '' && { docUrl }) }
}

function refuse(error: unknown): never {
  const body = bodyOf(error)
  throw body ? new ReadRefused(body) : error
}

const note = (error: unknown) => {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${redact(words)}\n`)
}

function glassOver(vitrine: Vitrine, { url, connection }: Pick<ClientTarget, 'url' | 'connection'>): Reader {
  let holder: Promise<KeyReach> | undefined
  let askedMs = 0
  return {
    origin: url,
    ...(connection !== undefined && { connection }),
    // shared by several calls, so none of them may abort it
    whoami() {
      if (!holder || performance.now() - askedMs > holderMs) {
        askedMs = performance.now()
        const mine = (holder = vitrine.whoami().catch(refuse))
        mine.catch(() => holder === mine && (holder = undefined))
      }
      return holder
    },
    async read({ operation, params, connection: id }, signal) {
      try {
        const body = await vitrine.read(operation, { ...params }, { connection: id, signal })
        return { body, requestId: body.requestId }
      } catch (error) {
        const body = bodyOf(error)
        if (!body) throw error
        return { error: body }
      }
    },
    failed: note,
  }
}

export async function mcp(options: Omit<ClientOptions, 'timeout'>) {
  // nothing to finish: the agent that asked ends it
  exitOnSignal()
  if (options.keyFile === '-') throw new UsageError('--key-file: standard input belongs to the agent; name a file.')
  const caller = readClientOptions(options)
  const vitrine = new Vitrine({
    url: caller.url,
    key: caller.key,
    insecure: caller.insecure,
    userAgent: `vitrine-mcp/${version}`,
    parse: parseExactly,
  })
  if (process.stdin.isTTY) process.stderr.write('This is a Model Context Protocol server for agents. Ctrl-D ends it.\n')
  const glass = glassOver(vitrine, caller)
  await serveOverStdio(
    () => createMcpServer(glass, { routes, version }),
    (words) => say(redact(`vitrine: ${words}`)),
  )
  // idle keep-alive sockets would hold the process for seconds
  process.exit(0)
}
