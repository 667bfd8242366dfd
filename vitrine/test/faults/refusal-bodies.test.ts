// A status is decisive, whatever its body: an unreadable body does not change the outcome.
import { randomBytes } from 'node:crypto'
import { page } from '../support/example-routes.ts'
import { canary, type Expected, faults } from './fault.ts'
import { always, failed, forbidden, gone, limited, unavailable } from './status-rows.ts'

type Body = readonly [words: string, body: string | Buffer, headers?: Record<string, string>]

const bodies: readonly Body[] = [
  ['nothing', ''],
  ['an unknown coding', 'xx', { 'content-encoding': 'zstd' }],
  ['broken gzip', 'xx', { 'content-encoding': 'gzip' }],
  ['nine megabytes', randomBytes(9 << 20)],
  ['deep JSON', '['.repeat(5_000)],
  ['HTML', `<html>${canary}`, { 'content-type': 'text/html' }],
  ['a healthy document', JSON.stringify(page.healthy)],
  ['odd errors', '{"errors":[null,5,[],{"code":{"toString":1,"valueOf":1}},{"code":9007199254740993,"source":7}]}'],
  ['errors that are none', '{"errors":{"0":{"code":"FORBIDDEN.REQUIRED_AGREEMENTS"}}}'],
]

const statuses: readonly [status: number, expect: Expected][] = [
  [400, failed],
  [403, forbidden],
  [404, gone],
  [429, { ...limited, retryAfter: null }],
  [500, { ...failed, calls: 3 }],
  [503, unavailable],
]

faults(
  bodies.flatMap(([words, body, headers]) =>
    statuses.flatMap(([status, expect]) =>
      always({
        id: 'F52',
        fault: `${status} with ${words}`,
        status,
        expect,
        body,
        ...(headers && { headers }),
        row: { timeoutMs: 6_000, ...(status === 429 && { restsSec: 1 }) },
      }),
    ),
  ),
)
