// How a connection stands, in a word and a sentence: the first of these that is true of it, the worst first.
import type { Card, ConnectionStatus } from './answers.ts'
import { counted } from './numbers.ts'
import type { Tone } from './parts/tone.ts'

export interface Standing {
  readonly word: string
  readonly tone: Tone
  readonly says: string
}

/** as the doctor has it */
const low = 0.1

type Window = ConnectionStatus['quota']['hour']

const isSpent = (window: Window): boolean => window !== null && window.remaining === 0
const isLow = (window: Window): boolean => window !== null && window.remaining < low * window.limit

/** moments of one form, so that their letters are in the order of time */
const failedLast = ({ lastAnswerAt, lastFailure }: ConnectionStatus): boolean =>
  lastFailure !== null && lastFailure.at > (lastAnswerAt ?? '')

interface Rule {
  readonly word: string
  readonly tone: Tone
  readonly when: (status: ConnectionStatus) => boolean
  readonly says: (status: ConnectionStatus) => string
}

const silent = ({ retryAfterSec }: ConnectionStatus): string =>
  retryAfterSec === null || retryAfterSec === 0
    ? 'The platform is tried again with the next request.'
    : `The platform is tried again in ${retryAfterSec} s.`

const rules: readonly Rule[] = [
  {
    ...{ word: 'Key refused', tone: 'bad', when: ({ keyRejected }) => keyRejected },
    says: () => 'The platform refuses the signing key. Replace it, or make it active there.',
  },
  { ...{ word: 'No answer', tone: 'bad', when: ({ breaker }) => breaker === 'open' }, says: silent },
  {
    ...{ word: 'Tried again', tone: 'warn', when: ({ breaker }) => breaker === 'half-open' },
    says: () => 'The platform did not answer, and is tried with one call.',
  },
  {
    ...{ word: 'Paused', tone: 'warn', when: ({ quota }) => quota.pausedSec > 0 },
    says: ({ quota }) => `The platform wants no calls for ${quota.pausedSec} s.`,
  },
  {
    ...{ word: 'Quota spent', tone: 'bad', when: ({ quota }) => isSpent(quota.hour) },
    says: () => 'Nothing is left of the hour: calls wait, or are refused.',
  },
  {
    ...{ word: 'Quota low', tone: 'warn', when: ({ quota }) => isLow(quota.hour) || isLow(quota.minute) },
    says: ({ quota }) => `Less than a tenth is left of the ${isLow(quota.hour) ? 'hour' : 'minute'}.`,
  },
  {
    ...{ word: 'Waiting', tone: 'warn', when: ({ calls }) => calls.waiting > 0 },
    says: ({ calls }) =>
      `${counted(calls.waiting, 'call waits', 'calls wait')} for a turn, ${calls.running} under way.`,
  },
  {
    ...{ word: 'Last call failed', tone: 'warn', when: failedLast },
    says: () => 'The platform has given no good answer since.',
  },
  {
    ...{ word: 'Answers', tone: 'good', when: ({ lastAnswerAt }) => lastAnswerAt !== null },
    says: ({ calls }) => (calls.running > 0 ? `${counted(calls.running, 'call')} under way.` : 'The platform answers.'),
  },
]

const closed: Standing = {
  word: 'Cannot be opened',
  tone: 'bad',
  says: 'Its credential does not open: a master key is missing, or its row was altered.',
}

const idle: Standing = { word: 'Idle', tone: 'idle', says: 'Not used since the start.' }

export function standingOf({ status, hour }: Pick<Card, 'status' | 'hour'>): Standing {
  // what does not open has no status
  if (status === null) return hour.unreadable > 0 ? closed : idle
  const rule = rules.find(({ when }) => when(status))
  return rule ? { word: rule.word, tone: rule.tone, says: rule.says(status) } : idle
}

/** trouble first; the rest is in one order, so that no card moves when a connection is first used */
const ranks: Readonly<Record<Tone, number>> = { bad: 0, warn: 1, good: 2, glass: 2, idle: 2 }
export const rankOf = ({ tone }: Standing): number => ranks[tone]
export const isTrouble = (standing: Standing): boolean => rankOf(standing) < 2
