// Faults planted in the product's code, each a promise broken on purpose: the simulation must find every one.

export interface Mutant {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** the first that finds it; none yet where it is left out */
  readonly seed?: number
}

const replicas = 'vitrine/src/replicas'
const quota = `${replicas}/shared-quota.ts`
const scriptFile = `${replicas}/shared-quota-script.ts`
const messages = `${replicas}/lease-messages.ts`
const health = 'base/redis/redis-health.ts'

export const mutants: readonly Mutant[] = [
  {
    name: 'a wait ends in the past where the report is older than the window',
    seed: 23,
    file: scriptFile,
    from: 'local soonest = isTold and w.toldAt + length - now or length',
    to: 'local soonest = w.toldAt + length - now',
  },
  {
    name: 'a Redis that refuses writes counts as up',
    file: health,
    from: 'if (answer === true) conclusions.written(askedAt)',
    to: 'if (answer === true || answer instanceof Error) conclusions.written(askedAt)',
  },
  {
    name: 'older data of Redis overrides what a replica counted alone',
    file: `${replicas}/replica-window.ts`,
    from: 'const known = isAhead ? Math.max(0, alone.remaining() * parts) : Number.POSITIVE_INFINITY',
    to: 'const known = Number.POSITIVE_INFINITY',
  },
  {
    name: 'a reservation that is not used is never given back',
    file: quota,
    from: "release: (id: string) => send('release', id),",
    to: "release: (id: string) => Promise.resolve(id === '' ? undefined : undefined),",
  },
  {
    name: 'a call without an answer is given back',
    seed: 3,
    file: quota,
    from: "ended: (id: string) => send('ended', id),",
    to: "ended: (id: string) => send('release', id),",
  },
  {
    name: 'a call that was cancelled is given back when its time is over',
    seed: 21,
    file: scriptFile,
    from: 'local function goWithoutWord(w)\n  w.wordless = w.wordless + 1',
    to: 'local function goWithoutWord(w)\n  if w then return end\n  w.wordless = w.wordless + 1',
  },
  {
    name: 'one call too many is granted',
    seed: 3,
    file: scriptFile,
    from: 'if left - ghostly >= 1 then return 0 end',
    to: 'if left - ghostly >= 0 then return 0 end',
  },
  {
    name: 'calls in flight do not count',
    seed: 3,
    file: scriptFile,
    from: 'return left - flying(0), w.limit - math.max(0, left) > own',
    to: 'return left, w.limit - math.max(0, left) > own',
  },
  {
    name: 'one of the calls in flight does not count',
    seed: 11,
    file: scriptFile,
    from: 'return left - flying(0), w.limit - math.max(0, left) > own',
    to: 'return left - math.max(0, flying(0) - 1), w.limit - math.max(0, left) > own',
  },
  {
    name: 'the latest report counts, and not the lowest of those that may be the latest',
    seed: 3,
    file: scriptFile,
    from: 'least = math.min(least or word.left, word.left) end',
    to: 'least = word.left end',
  },
  {
    name: 'calls leave the hour by their start, and not by their answer',
    seed: 8,
    file: scriptFile,
    from: 'return slot.till + length + length / 1000',
    to: 'return slot.begun + length - length / 60',
  },
  {
    name: 'the hour is a minute too short',
    seed: 8,
    file: scriptFile,
    from: 'local lengths = { hour = tonumber(ARGV[6]), minute',
    to: 'local lengths = { hour = tonumber(ARGV[6]) * 59 / 60, minute',
  },
  {
    name: 'what a report knows of is given back again',
    seed: 54,
    file: scriptFile,
    from: 'if slot.from + length > w.toldAt then w.freed = w.freed + slot.sure end',
    to: 'w.freed = w.freed + slot.all',
  },
  {
    name: 'what left the hour before a report is not taken off it',
    seed: 3,
    file: scriptFile,
    from: '  left = left - w.freed\n',
    to: '',
  },
  {
    name: 'a call without a word does not lower a report that may lack it',
    file: scriptFile,
    from: 'if call then left = left - (w.wordless - call[kind]) end',
    to: '',
  },
  {
    name: 'after doubt, nothing is held back for unreserved calls',
    file: scriptFile,
    from: 'local ghostly = s.ghostsTill > now and s.ghosts or 0',
    to: 'local ghostly = 0',
  },
  {
    name: 'a replica that missed Redis does not say so',
    file: quota,
    from: 'missed: () => void ([knownSince, hasMissed] = [undefined, true]),',
    to: 'missed: () => undefined,',
  },
  {
    name: 'a new replica does not say that it is new',
    file: quota,
    from: 'act, `${own}${id}`, isDoubted ? 1 : 0, mostInFlight()',
    to: 'act, `${own}${id}`, isDoubted ? 0 : 0, mostInFlight()',
  },
  {
    name: 'a 429 pauses no other replica',
    file: scriptFile,
    from: "elseif act == 'rest' then\n  s.rest.till = math.max(s.rest.till, now + (tonumber(ARGV[7]) or s.rest.guess or 0))",
    to: "elseif act == 'rest' then\n  s.rest.till = 0",
  },
  {
    name: 'a reservation of a dead replica is held forever',
    file: scriptFile,
    from: 'till = now + holdMs, hour',
    to: 'till = now + 1000 * holdMs, hour',
  },
  {
    name: 'a reservation of a living replica is held for a moment',
    file: scriptFile,
    from: 'till = now + holdMs, hour',
    to: 'till = now + 50, hour',
  },
  {
    name: 'a report that is old is never tested',
    file: scriptFile,
    from: 'if probe <= 0 and inFlight == 0 then return 0 end',
    to: '',
  },
  {
    name: 'a report is tested at once',
    file: scriptFile,
    from: 'local probe = math.max(w.toldAt, w.spentAt) + lengths.minute - now',
    to: 'local probe = 0',
  },
  {
    name: 'a wait of an hour follows each refusal',
    file: scriptFile,
    from: 'rest.guess = math.min(60000, 1000 * 2 ^ rest.strikes)',
    to: 'rest.guess = 3600000',
  },
  {
    name: 'without Redis a replica takes all that is left',
    file: `${replicas}/replica-window.ts`,
    from: 'parts = replicas()',
    to: 'parts = 1',
  },
  {
    name: 'without Redis a replica makes all calls at once',
    file: `${replicas}/shared-scheduler.ts`,
    from: 'Math.max(1, Math.ceil(most / replicas))',
    to: 'Math.max(1, most * replicas)',
  },
  {
    name: 'a lease outlives its leader',
    file: messages,
    from: "redis.call('SET', KEYS[2] .. ARGV[1], '0', 'PX', ARGV[3])",
    to: "redis.call('SET', KEYS[2] .. ARGV[1], '0')",
  },
  {
    name: 'a lease is not given up with the answer',
    file: messages,
    from: "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end\n",
    to: '',
  },
  {
    name: 'the outcome is told before the lease is given up',
    file: `${replicas}/leases.ts`,
    from: '    const isAwaited = await messages.leave(lease, token)\n    if (isAwaited === undefined) void endLeaseLater',
    to: '    const isAwaited: boolean | undefined = true\n    if (isAwaited === undefined) void endLeaseLater',
  },
  {
    name: 'every replica is a leader',
    seed: 3,
    file: messages,
    from: "if by and redis.call('EXISTS', KEYS[2] .. by) == 1 then",
    to: "if by and redis.call('EXISTS', KEYS[2] .. by) == 2 then",
  },
  {
    name: 'a leader says nothing of its outcome',
    seed: 3,
    file: messages,
    from: "if ARGV[1] ~= '' then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end",
    to: '',
  },
  {
    name: 'no deadline ends an answer of Redis',
    file: 'base/redis/redis-link.ts',
    from: 'const answer = await withDeadline(asked().catch(failed), answerMs, noAnswer)',
    to: 'const answer = await withDeadline(asked().catch(failed), 3_600_000, noAnswer)',
  },
  {
    name: 'a connection that is silent is kept',
    seed: 5,
    file: health,
    from: 'if (steady() - heardAt <= silenceMs) return',
    to: 'if (heardAt >= 0) return',
  },
  {
    name: 'a connection that is silent is kept while no caller asks',
    seed: 5,
    file: health,
    from: 'if (steady() - heardAt <= silenceMs) return',
    to: 'if (reported.state().up || steady() - heardAt <= silenceMs) return',
  },
  {
    name: 'a client that lost its connection does not come back',
    file: 'base/redis/redis-client.ts',
    from: '    this.#plan()\n  }\n\n  #plan()',
    to: '  }\n\n  #plan()',
  },
  {
    name: 'a script that Redis forgot is not sent again',
    file: 'base/redis/redis-client.ts',
    from: "if (redisErrorCode(error) !== 'NOSCRIPT') throw error",
    to: "if (redisErrorCode(error) !== 'NONE') throw error",
  },
  {
    name: 'answers that were under way end with no connection',
    file: 'base/redis/redis-client.ts',
    from: "for (const one of this.#pending.splice(0)) one.reject(new Error('Connection is closed.'))",
    to: '',
  },
]
