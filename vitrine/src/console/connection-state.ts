// The state of a connection: a word, and a sentence that says what it means and what to do. The first rule that matches, the worst
// first.
import type { Card, ConnectionStatus } from './answers.ts'
import { counted, whole } from '../../../base/console/format.ts'
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

const ifItLasts = 'If this lasts, see Apple’s system status page.'

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
        ? `The platform is not responding. Retrying in ${retryAfterSec} s. ${ifItLasts}`
        : `The platform is not responding. The next request is sent as a trial. ${ifItLasts}`,
  },
  {
    word: 'Recovering',
    tone: 'warn',
    when: ({ breaker }) => breaker === 'half-open',
    sentence: () =>
      'The platform did not respond. One trial call is in progress. If it succeeds, calls go on by themselves.',
  },
  {
    word: 'Paused',
    tone: 'warn',
    when: ({ quota }) => quota.pausedSec > 0,
    sentence: ({ quota }) =>
      `The platform asked for no calls for ${quota.pausedSec} s. They go on by themselves afterwards.`,
  },
  {
    word: 'Quota exhausted',
    tone: 'bad',
    when: ({ quota }) => isSpent(quota.hour),
    sentence: () => 'No quota is left for this hour: calls wait or are rejected. Cache answers, or limit the keys.',
  },
  {
    word: 'Quota low',
    tone: 'warn',
    when: ({ quota }) => isLow(quota.hour) || isLow(quota.minute),
    sentence: ({ quota }) =>
      `Less than 10 % of the ${isLow(quota.hour) ? 'hourly' : 'minute'} quota is left. If this is frequent, cache answers or limit the keys.`,
  },
  {
    word: 'Queued',
    tone: 'warn',
    when: ({ calls }) => calls.waiting > 0,
    sentence: ({ calls }) =>
      `${counted(calls.waiting, 'call')} queued, ${calls.running} in progress. A queued call runs when another ends.`,
  },
  {
    word: 'Last call failed',
    tone: 'warn',
    when: failedLast,
    sentence: () => 'The last call failed, and none has succeeded since. Use “Check now” on the connection’s page.',
  },
  {
    word: 'Healthy',
    tone: 'good',
    when: ({ lastAnswerAt }) => lastAnswerAt !== null,
    sentence: ({ calls }) =>
      `The platform is responding.${calls.running > 0 ? ` ${counted(calls.running, 'call')} in progress.` : ''}`,
  },
]

const unreadable: ConnectionState = {
  word: 'Cannot be decrypted',
  tone: 'bad',
  sentence:
    'The stored credential cannot be decrypted. Restore its master key (see Health), or replace the credential.',
}

const idle: ConnectionState = {
  word: 'Idle',
  tone: 'idle',
  sentence: 'Not used since the service started, so its state is not known. “Check now” on its page tests it.',
}

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

/** words of all states, the worst first */
const stateWords = [unreadable.word, ...rules.map(({ word }) => word), idle.word]

/** `all`, `problems`, or the word of a state */
export type StateFilter = string

export const passes = (state: ConnectionState, wanted: StateFilter): boolean =>
  wanted === 'all' || (wanted === 'problems' ? isProblem(state) : state.word === wanted)

/** the filters that find something, each with how much; and the chosen one, so that it does not vanish under the operator */
export function stateFilters(
  states: readonly ConnectionState[],
  chosen: StateFilter,
): Readonly<Record<string, string>> {
  const count = (wanted: StateFilter) => states.filter((state) => passes(state, wanted)).length
  const words = stateWords.filter((word) => word === chosen || count(word) > 0)
  return Object.fromEntries([
    ['all', `All (${whole(count('all'))})`],
    ['problems', `Needs attention (${whole(count('problems'))})`],
    ...words.map((word) => [word, `${word} (${whole(count(word))})`] as const),
  ])
}
