import assert from 'node:assert/strict'
import test from 'node:test'
import type { Card, ConnectionStatus } from '../../src/console/answers.ts'
import { isTrouble, rankOf, standingOf } from '../../src/console/standing.ts'

const at = '2026-11-20T09:00:00.000Z'
const later = '2026-11-20T09:00:01.000Z'

const well: ConnectionStatus = {
  ...{ connection: 'acme', breaker: 'closed', retryAfterSec: null, keyRejected: false },
  quota: { hour: { limit: 3_600, remaining: 3_000 }, minute: { limit: 300, remaining: 280 }, pausedSec: 0 },
  ...{ calls: { running: 0, waiting: 0 }, lastAnswerAt: at, lastFailure: null },
}

const nothing = { calls: 0, errors: 0, requests: 0, shared: 0, cacheHits: 0, cacheMisses: 0, unreadable: 0, drift: 0 }

const cardOf = (status: Partial<ConnectionStatus> | null, hour: Partial<Card['hour']> = {}) => ({
  status: status && { ...well, ...status },
  hour: { ...nothing, ...hour },
})

const quotaOf = (quota: Partial<ConnectionStatus['quota']>) => cardOf({ quota: { ...well.quota, ...quota } })

const rows = [
  [cardOf({}), 'Answers', 'The platform answers.'],
  [cardOf({ calls: { running: 2, waiting: 0 } }), 'Answers', '2 calls under way.'],
  [cardOf(null), 'Idle', 'Not used since the start.'],
  [cardOf({ lastAnswerAt: null }), 'Idle', 'Not used since the start.'],
  [
    cardOf(null, { unreadable: 1 }),
    'Cannot be opened',
    'Its credential does not open: a master key is missing, or its row was altered.',
  ],
  [
    cardOf({ keyRejected: true, breaker: 'open', retryAfterSec: 9 }),
    'Key refused',
    'The platform refuses the signing key. Replace it, or make it active there.',
  ],
  [cardOf({ breaker: 'open', retryAfterSec: 23 }), 'No answer', 'The platform is tried again in 23 s.'],
  [cardOf({ breaker: 'open', retryAfterSec: 0 }), 'No answer', 'The platform is tried again with the next request.'],
  [cardOf({ breaker: 'half-open' }), 'Tried again', 'The platform did not answer, and is tried with one call.'],
  [quotaOf({ pausedSec: 41 }), 'Paused', 'The platform wants no calls for 41 s.'],
  [
    quotaOf({ hour: { limit: 3_600, remaining: 0 } }),
    'Quota spent',
    'Nothing is left of the hour: calls wait, or are refused.',
  ],
  [quotaOf({ hour: { limit: 3_600, remaining: 359 } }), 'Quota low', 'Less than a tenth is left of the hour.'],
  [quotaOf({ hour: { limit: 3_600, remaining: 360 } }), 'Answers', 'The platform answers.'],
  [quotaOf({ minute: { limit: 300, remaining: 29 } }), 'Quota low', 'Less than a tenth is left of the minute.'],
  [quotaOf({ hour: null, minute: null }), 'Answers', 'The platform answers.'],
  [cardOf({ calls: { running: 4, waiting: 1 } }), 'Waiting', '1 call waits for a turn, 4 under way.'],
  [
    cardOf({ lastFailure: { at: later, code: 'upstream_timeout' } }),
    'Last call failed',
    'The platform has given no good answer since.',
  ],
  [
    cardOf({ lastAnswerAt: null, lastFailure: { at, code: 'upstream_timeout' } }),
    'Last call failed',
    'The platform has given no good answer since.',
  ],
  [cardOf({ lastAnswerAt: later, lastFailure: { at, code: 'upstream_timeout' } }), 'Answers', 'The platform answers.'],
] as const

test('a connection stands as its worst trouble, in a word and a sentence', () => {
  for (const [card, word, says] of rows) {
    const standing = standingOf(card)
    assert.deepEqual([standing.word, standing.says], [word, says])
  }
})

test('trouble comes before what is well or was not used, the worse before the other', () => {
  const words = rows
    .map(([card]) => standingOf(card))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((standing) => `${standing.word}${isTrouble(standing) ? ' !' : ''}`)
  assert.deepEqual(
    [...new Set(words)],
    [
      ...['Cannot be opened !', 'Key refused !', 'No answer !', 'Quota spent !'],
      ...['Tried again !', 'Paused !', 'Quota low !', 'Waiting !', 'Last call failed !'],
      ...['Answers', 'Idle'],
    ],
  )
})
