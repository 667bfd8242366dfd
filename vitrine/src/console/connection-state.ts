// The state of a connection, in a word and a sentence: the first rule that matches, the worst first.
import type { Card, ConnectionStatus } from './answers.ts'
import { counted } from '../../../base/console/format.ts'
import type { Tone } from '../../../base/console/parts/tone.ts'

export interface ConnectionState {
  readonly word: string
  readonly tone: Tone
  readonly sentence: string
}

/** as in the doctor */
const low = 0.1

type Window = ConnectionStatus['quota']['hour']

const isSpent = (window: Window): boolean => window !== null && window.remaining === 0
const isLow = (window: Window): boolean => window !== null && window.remaining < low * window.limit

/** ISO times of one format sort as text */
const failedLast = ({ lastAnswerAt, lastFailure }: ConnectionStatus): boolean =>
  lastFailure !== null && lastFailure.at > (lastAnswerAt ?? '')

interface Rule {
  readonly word: string
  readonly tone: Tone
  readonly when: (status: ConnectionStatus) => boolean
  readonly sentence: (status: ConnectionStatus) => string
}

const rules: readonly Rule[] = [
  {
    word: 'Key rejected',
    tone: 'bad',
    when: ({ keyRejected }) => keyRejected,
    sentence: () => 'The platform rejects the signing key. Replace it, or reactivate it in App Store Connect.',
  },
  {
    word: 'Not responding',
    tone: 'bad',
    when: ({ breaker }) => breaker === 'open',
    sentence: ({ retryAfterSec }) =>
      retryAfterSec
        ? `The platform is not responding. Retrying in ${retryAfterSec} s.`
        : 'The platform is not responding. The next request is sent as a trial.',
  },
  {
    word: 'Recovering',
    tone: 'warn',
    when: ({ breaker }) => breaker === 'half-open',
    sentence: () => 'The platform did not respond. One trial call is in progress.',
  },
  {
    word: 'Paused',
    tone: 'warn',
    when: ({ quota }) => quota.pausedSec > 0,
    sentence: ({ quota }) => `The platform asked for no calls for ${quota.pausedSec} s.`,
  },
  {
    word: 'Quota exhausted',
    tone: 'bad',
    when: ({ quota }) => isSpent(quota.hour),
    sentence: () => 'No quota is left for this hour: calls wait or are rejected.',
  },
  {
    word: 'Quota low',
    tone: 'warn',
    when: ({ quota }) => isLow(quota.hour) || isLow(quota.minute),
    sentence: ({ quota }) => `Less than 10 % of the ${isLow(quota.hour) ? 'hourly' : 'minute'} quota is left.`,
  },
  {
    word: 'Queued',
    tone: 'warn',
    when: ({ calls }) => calls.waiting > 0,
    sentence: ({ calls }) => `${counted(calls.waiting, 'call')} queued, ${calls.running} in progress.`,
  },
  {
    word: 'Last call failed',
    tone: 'warn',
    when: failedLast,
    sentence: () => 'The platform has not responded successfully since.',
  },
  {
    word: 'Healthy',
    tone: 'good',
    when: ({ lastAnswerAt }) => lastAnswerAt !== null,
    sentence: ({ calls }) =>
      calls.running > 0 ? `${counted(calls.running, 'call')} in progress.` : 'The platform is responding.',
  },
]

const unreadable: ConnectionState = {
  word: 'Cannot be decrypted',
  tone: 'bad',
  sentence: 'The stored credential cannot be decrypted: a master key is missing, or the record was altered.',
}

const idle: ConnectionState = { word: 'Idle', tone: 'idle', sentence: 'Not used since the service started.' }

export function stateOf({ status, hour }: Pick<Card, 'status' | 'hour'>): ConnectionState {
  // a connection that cannot be decrypted has no status
  if (status === null) return hour.unreadable > 0 ? unreadable : idle
  const rule = rules.find(({ when }) => when(status))
  return rule ? { word: rule.word, tone: rule.tone, sentence: rule.sentence(status) } : idle
}

/** problems first; the rest share one rank, so that no card moves when a connection is first used */
const ranks: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, good: 2, accent: 2, idle: 2 }
export const rankOf = ({ tone }: ConnectionState): number => ranks[tone]
export const isProblem = (state: ConnectionState): boolean => rankOf(state) < 2
