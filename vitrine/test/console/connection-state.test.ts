import assert from 'node:assert/strict'
import test from 'node:test'
import type { Card, ConnectionStatus } from '../../src/console/answers.ts'
import { isProblem, rankOf, stateOf } from '../../src/console/connection-state.ts'

const at = '2026-11-20T09:00:00.000Z'
const later = '2026-11-20T09:00:01.000Z'

const well: ConnectionStatus = {
  connection: 'acme',
  breaker: 'closed',
  retryAfterSec: null,
  keyRejected: false,
  quota: { hour: { limit: 3_600, remaining: 3_000 }, minute: { limit: 300, remaining: 280 }, pausedSec: 0 },
  calls: { running: 0, waiting: 0 },
  lastAnswerAt: at,
  lastFailure: null,
}

const nothing = { calls: 0, errors: 0, requests: 0, shared: 0, cacheHits: 0, cacheMisses: 0, unreadable: 0, drift: 0 }

const cardOf = (status: Partial<ConnectionStatus> | null, hour: Partial<Card['hour']> = {}) => ({
  status: status && { ...well, ...status },
  hour: { ...nothing, ...hour },
})

const quotaOf = (quota: Partial<ConnectionStatus['quota']>) => cardOf({ quota: { ...well.quota, ...quota } })

const rows = [
  [cardOf({}), 'Healthy', 'The platform is responding.'],
  [cardOf({ calls: { running: 2, waiting: 0 } }), 'Healthy', 'The platform is responding. 2 calls in progress.'],
  [
    cardOf(null),
    'Idle',
    'Not used since the service started, so its state is not known. “Check now” on its page tests it.',
  ],
  [
    cardOf({ lastAnswerAt: null }),
    'Idle',
    'Not used since the service started, so its state is not known. “Check now” on its page tests it.',
  ],
  [
    cardOf(null, { unreadable: 1 }),
    'Cannot be decrypted',
    'The stored credential cannot be decrypted. Restore its master key (see Health), or replace the credential.',
  ],
  [
    cardOf({ keyRejected: true, breaker: 'open', retryAfterSec: 9 }),
    'Key rejected',
    'The platform rejects the signing key. Replace it, or reactivate it in App Store Connect.',
  ],
  [
    cardOf({ breaker: 'open', retryAfterSec: 23 }),
    'Not responding',
    'The platform is not responding. Retrying in 23 s. If this lasts, see Apple’s system status page.',
  ],
  [
    cardOf({ breaker: 'open', retryAfterSec: 0 }),
    'Not responding',
    'The platform is not responding. The next request is sent as a trial. If this lasts, see Apple’s system status page.',
  ],
  [
    cardOf({ breaker: 'half-open' }),
    'Recovering',
    'The platform did not respond. One trial call is in progress. If it succeeds, calls go on by themselves.',
  ],
  [
    quotaOf({ pausedSec: 41 }),
    'Paused',
    'The platform asked for no calls for 41 s. They go on by themselves afterwards.',
  ],
  [
    quotaOf({ hour: { limit: 3_600, remaining: 0 } }),
    'Quota exhausted',
    'No quota is left for this hour: calls wait or are rejected. Cache answers, or limit the keys.',
  ],
  [
    quotaOf({ hour: { limit: 3_600, remaining: 359 } }),
    'Quota low',
    'Less than 10 % of the hourly quota is left. If this is frequent, cache answers or limit the keys.',
  ],
  [quotaOf({ hour: { limit: 3_600, remaining: 360 } }), 'Healthy', 'The platform is responding.'],
  [
    quotaOf({ minute: { limit: 300, remaining: 29 } }),
    'Quota low',
    'Less than 10 % of the minute quota is left. If this is frequent, cache answers or limit the keys.',
  ],
  [quotaOf({ hour: null, minute: null }), 'Healthy', 'The platform is responding.'],
  [
    cardOf({ calls: { running: 4, waiting: 1 } }),
    'Queued',
    '1 call queued, 4 in progress. A queued call runs when another ends.',
  ],
  [
    cardOf({ lastFailure: { at: later, code: 'upstream_timeout' } }),
    'Last call failed',
    'The last call failed, and none has succeeded since. Use “Check now” on the connection’s page.',
  ],
  [
    cardOf({ lastAnswerAt: null, lastFailure: { at, code: 'upstream_timeout' } }),
    'Last call failed',
    'The last call failed, and none has succeeded since. Use “Check now” on the connection’s page.',
  ],
  [
    cardOf({ lastAnswerAt: later, lastFailure: { at, code: 'upstream_timeout' } }),
    'Healthy',
    'The platform is responding.',
  ],
] as const

test('the state of a connection is its worst problem, in a word and a sentence', () => {
  for (const [card, word, says] of rows) {
    const standing = stateOf(card)
    assert.deepEqual([standing.word, standing.sentence], [word, says])
    // three lines of a card
    assert.ok(says.length <= 118, says)
  }
})

test('problems rank before healthy and idle connections, worse ones first', () => {
  const words = rows
    .map(([card]) => stateOf(card))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((standing) => `${standing.word}${isProblem(standing) ? ' !' : ''}`)
  assert.deepEqual(
    [...new Set(words)],
    [
      'Cannot be decrypted !',
      'Key rejected !',
      'Not responding !',
      'Quota exhausted !',
      'Recovering !',
      'Paused !',
      'Quota low !',
      'Queued !',
      'Last call failed !',
      'Healthy',
      'Idle',
    ],
  )
})
