// The output of a command that goes on without its caller. An addition to the contract, in which such output is discarded.
import type { ApiExchange } from '../api/exchange.ts'
import { answered } from '../api/route.ts'
import { Problem as BaseProblem } from '../../../base/core/problem.ts'
import { follow, type FollowRequest } from '../exec/follow.ts'
import type { KeptCommand } from '../exec/kept-command.ts'
import { LineWriter, readerStallMs } from '../exec/stream.ts'
import { refuse, Problem } from '../problems.ts'
import { defineRoute } from './service.ts'

const ndjson = 'application/x-ndjson'

export async function sendFollowed(
  exchange: ApiExchange,
  kept: KeptCommand,
  request: FollowRequest,
): Promise<typeof answered> {
  exchange.startStream(ndjson)
  const lines = new LineWriter(exchange.res, readerStallMs)
  const end = await follow(lines, kept, request)
  if (end && 'exit' in end) lines.end(end.exit)
  else {
    const reason: unknown = end ? end.problem : request.signal.reason
    const problem = reason instanceof BaseProblem ? reason : new Problem('shutting_down')
    exchange.record.code = problem.code
    lines.end({ type: 'error', error: BaseProblem.present(problem, exchange.id) })
  }
  return answered
}

export const followCommand = defineRoute({
  method: 'GET',
  path: '/containers/exec',
  operationId: 'followCommand',
  tag: 'containers',
  summary: 'Follow a command that runs on without its caller',
  description:
    'An addition to the contract. The lines of a stream of POST /containers/exec: what is kept after `after`, then what comes, up to `exit` or `error`. Where the oldest output fell out of memory, a line `lost` names it with `firstSeq` and `lastSeq`. Kept for 10 minutes after the end, and neither after the removal of the container nor over a restart of the service: then `exec_not_found`.',
  credential: 'key',
  scope: 'exec',
  isOnlyWithQuery: true,
  query: {
    id: {
      description: 'The `execId`.',
      schema: { type: 'string', minLength: 1, maxLength: 64 },
      required: true,
    },
    after: {
      description: 'Only lines after this `seq`.',
      schema: { type: 'integer', minimum: 0, maximum: 1_000_000_000_000, default: 0 },
    },
  },
  answers: { 200: { media: ndjson, description: 'Its output as it comes.' } },
  refusals: ['exec_not_found', 'exec_limit'],
  async run({ caller: { account }, query, exchange, signal }, { kept, counter, limits }) {
    const found = kept.find(account, query.id)
    if (!found) throw refuse('exec_not_found')
    exchange.record.target = found.place.container
    if (exchange.method === 'HEAD') {
      exchange.startStream(ndjson)
      exchange.res.end()
      return answered
    }
    exchange.onClose(counter.take(`follow ${account}`, limits.execs, 'exec_limit'))
    return sendFollowed(exchange, found, { after: query.after, signal })
  },
})
