// `vitrine mcp`: lets an agent on this machine read through a running service, over standard input and output.
import { Vitrine } from '../../client/vitrine.ts'
import { serveOverStdio } from '../agents/over-stdio.ts'
import { type ErrorBody, type Glass, type Holder, Refused } from '../agents/port.ts'
import { routes } from '../catalogue/index.ts'
import { version } from '../derive/version.ts'
import { parseExactly } from '../exact-numbers.ts'
import { redact } from '../redact.ts'
import { endOnSignal } from './lifetime.ts'
import { say } from './output.ts'
import { type Caller, type CallerOptions, readCaller } from './read/caller.ts'
import { Misuse } from './read/exits.ts'
import { failureOf } from './read/failure.ts'

/** what a key may do seldom changes, and every question about it takes a turn of the key's rate */
const holderMs = 15_000

/** undefined for what is a defect; what the service has not said is left out */
function bodyOf(error: unknown): ErrorBody | undefined {
  const failure = failureOf(error)
  if (!failure) return undefined
  const { requestId, docUrl, ...said } = failure
  return { ...said, ...(requestId !== '' && { requestId }), ...(docUrl !== '' && { docUrl }) }
}

function refuse(error: unknown): never {
  const body = bodyOf(error)
  throw body ? new Refused(body) : error
}

/** a defect */
const note = (error: unknown) => {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${redact(words)}\n`)
}

function glassOver(vitrine: Vitrine, { url, connection }: Pick<Caller, 'url' | 'connection'>): Glass {
  let holder: Promise<Holder> | undefined
  let askedMs = 0
  return {
    origin: url,
    ...(connection !== undefined && { connection }),
    // several calls may wait for it: none of them can end it
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

export async function mcp(options: Omit<CallerOptions, 'timeout'>) {
  // there is nothing to finish: the agent that asked is the one that ends it
  endOnSignal()
  if (options.keyFile === '-') throw new Misuse('--key-file: the agent speaks over standard input; name a file.')
  const caller = readCaller(options)
  const vitrine = new Vitrine({
    ...{ url: caller.url, key: caller.key, insecure: caller.insecure },
    ...{ userAgent: `vitrine-mcp/${version}`, parse: parseExactly },
  })
  if (process.stdin.isTTY)
    process.stderr.write('An agent speaks here, in the Model Context Protocol. Ctrl-D ends it.\n')
  const glass = glassOver(vitrine, caller)
  await serveOverStdio(glass, { routes, version }, (words) => say(redact(`vitrine: ${words}`))).ended
  // whoever asked has gone: sockets that are kept for a next read would hold the process for some seconds
  process.exit(0)
}
