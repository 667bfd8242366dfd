// The commands of Redis that are in use, over the values of one server. Tests compare each with a real server.
import { ok, type RedisAnswer, RedisError, Status, type Values } from './values.ts'

type Command = (values: Values, words: readonly string[], now: () => number) => RedisAnswer

const syntaxError = () => new RedisError('ERR syntax error')

function integer(word: string | undefined): number {
  if (word === undefined || !/^-?(0|[1-9]\d{0,17})$/.test(word))
    throw new RedisError('ERR value is not an integer or out of range')
  return Number(word)
}

function score(word: string | undefined): number {
  const number = /^[-+]?inf(inity)?$/i.test(word ?? '') ? (word?.startsWith('-') ? -Infinity : Infinity) : Number(word)
  if (word === undefined || word.trim() === '' || Number.isNaN(number))
    throw new RedisError('ERR value is not a valid float')
  return number
}

/** a bound of a range of scores; `(` leaves out the bound itself */
function bound(word: string | undefined): { at: number; isOpen: boolean } {
  const isOpen = word?.startsWith('(') ?? false
  try {
    return { at: score(isOpen ? word?.slice(1) : word), isOpen }
  } catch {
    throw new RedisError('ERR min or max is not a float')
  }
}

const textOfScore = (value: number): string => (Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf')

const sorted = (zset: ReadonlyMap<string, number> | undefined): [string, number][] =>
  [...(zset ?? [])].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))

function inScores(values: Values, [name = '', least, most]: readonly string[]): [string, number][] {
  const [from, to] = [bound(least), bound(most)]
  return sorted(values.zset(name)).filter(
    ([, at]) => (from.isOpen ? at > from.at : at >= from.at) && (to.isOpen ? at < to.at : at <= to.at),
  )
}

interface SetOptions {
  endsAt?: number
  only?: 'NX' | 'XX'
  keeps: boolean
}

function setOptionsOf(words: readonly string[], now: number): SetOptions {
  const options: SetOptions = { keeps: false }
  for (let i = 2; i < words.length; i++) {
    const word = (words[i] ?? '').toUpperCase()
    if (word === 'KEEPTTL') options.keeps = true
    else if (word === 'NX' || word === 'XX') options.only = word
    else if (word === 'PX' || word === 'EX') {
      const length = integer(words[++i]) * (word === 'EX' ? 1_000 : 1)
      if (length <= 0) throw new RedisError("ERR invalid expire time in 'set' command")
      options.endsAt = now + length
    } else throw syntaxError()
  }
  if (options.keeps && options.endsAt !== undefined) throw syntaxError()
  return options
}

function set(values: Values, words: readonly string[], now: () => number): RedisAnswer {
  const [name = '', text = ''] = words
  const { endsAt = Infinity, only, keeps } = setOptionsOf(words, now())
  if (only && (values.get(name) !== undefined) !== (only === 'XX')) return null
  if (keeps) values.put(name, 'string', text)
  else values.put(name, 'string', text, endsAt)
  return ok
}

function setRange(values: Values, [name = '', offset, text = '']: readonly string[]): RedisAnswer {
  const [from, old] = [integer(offset), values.text(name) ?? '']
  if (from < 0) throw new RedisError('ERR offset is out of range')
  if (text === '') return old.length
  const fresh = old.padEnd(from, '\0').slice(0, from) + text + old.slice(from + text.length)
  values.put(name, 'string', fresh)
  return fresh.length
}

function hashSet(values: Values, [name = '', ...pairs]: readonly string[]): RedisAnswer {
  const hash = values.hash(name) ?? new Map<string, string>()
  const before = hash.size
  for (let i = 0; i < pairs.length; i += 2) hash.set(pairs[i] ?? '', pairs[i + 1] ?? '')
  values.put(name, 'hash', hash)
  return hash.size - before
}

function zsetAdd(values: Values, [name = '', ...words]: readonly string[]): RedisAnswer {
  const options = new Set<string>()
  let from = 0
  for (; /^(nx|xx|ch)$/i.test(words[from] ?? ''); from++) options.add((words[from] ?? '').toUpperCase())
  const pairs = words.slice(from)
  if (pairs.length === 0 || pairs.length % 2 > 0) throw syntaxError()
  const scores = pairs.filter((_, i) => i % 2 === 0).map(score)
  const zset = values.zset(name) ?? new Map<string, number>()
  let added = 0
  for (const [i, at] of scores.entries()) {
    const member = pairs[2 * i + 1] ?? ''
    if (zset.has(member) ? options.has('NX') : options.has('XX')) continue
    if (!zset.has(member)) added++
    zset.set(member, at)
  }
  if (zset.size > 0) values.put(name, 'zset', zset)
  return added
}

function removeAll(values: Values, name: string, of: Map<string, unknown> | undefined, members: readonly string[]) {
  const removed = members.filter((member) => of?.delete(member)).length
  if (of) values.tidy(name, of)
  return removed
}

function range(values: Values, [name = '', from, to]: readonly string[]): RedisAnswer {
  const all = sorted(values.zset(name)).map(([member]) => member)
  const [begin, end] = [integer(from), integer(to)].map((at) => (at < 0 ? at + all.length : at)) as [number, number]
  return all.slice(Math.max(0, begin), end + 1)
}

function popLeast(values: Values, [name = '', count]: readonly string[]): RedisAnswer {
  const zset = values.zset(name)
  const popped = sorted(zset).slice(0, count === undefined ? 1 : integer(count))
  removeAll(
    values,
    name,
    zset,
    popped.map(([member]) => member),
  )
  return popped.flatMap(([member, at]) => [member, textOfScore(at)])
}

function endIn(values: Values, [name = '', ms]: readonly string[], now: () => number): RedisAnswer {
  return values.endAt(name, now() + integer(ms)) ? 1 : 0
}

function increase(values: Values, [name = '', by]: readonly string[]): RedisAnswer {
  const added = integer(by)
  const sum = integer(values.text(name) ?? '0') + added
  values.put(name, 'string', String(sum))
  return sum
}

interface Row {
  readonly act: Command
  /** with its name; negative: at least so many */
  readonly words: number
  readonly writes?: true
}

export const commands: Readonly<Record<string, Row>> = {
  PING: { words: -1, act: (_, [text]) => text ?? new Status('PONG') },
  TIME: {
    words: 1,
    act: (_, __, now) => [String(Math.floor(now() / 1_000)), String(Math.floor((now() % 1_000) * 1_000))],
  },
  GET: { words: 2, act: (values, [name = '']) => values.text(name) ?? null },
  MGET: {
    words: -2,
    act: (values, names) =>
      names.map((name) => {
        const found = values.get(name)
        return found?.kind === 'string' ? (found.value as string) : null
      }),
  },
  EXISTS: { words: -2, act: (values, names) => names.filter((name) => values.get(name)).length },
  PTTL: { words: 2, act: (values, [name = '']) => values.leftMs(name) },
  SET: { words: -3, writes: true, act: set },
  SETRANGE: { words: 4, writes: true, act: setRange },
  INCRBY: { words: 3, writes: true, act: increase },
  DEL: { words: -2, writes: true, act: (values, names) => names.filter((name) => values.delete(name)).length },
  PEXPIRE: { words: 3, writes: true, act: endIn },
  PEXPIREAT: { words: 3, writes: true, act: (values, [name = '', at]) => (values.endAt(name, integer(at)) ? 1 : 0) },
  HSET: { words: -4, writes: true, act: hashSet },
  HGET: { words: 3, act: (values, [name = '', field = '']) => values.hash(name)?.get(field) ?? null },
  HMGET: {
    words: -3,
    act: (values, [name = '', ...fields]) => fields.map((field) => values.hash(name)?.get(field) ?? null),
  },
  HEXISTS: { words: 3, act: (values, [name = '', field = '']) => (values.hash(name)?.has(field) ? 1 : 0) },
  HDEL: {
    words: -3,
    writes: true,
    act: (values, [name = '', ...fields]) => removeAll(values, name, values.hash(name), fields),
  },
  ZADD: { words: -4, writes: true, act: zsetAdd },
  ZCARD: { words: 2, act: (values, [name = '']) => values.zset(name)?.size ?? 0 },
  ZSCORE: {
    words: 3,
    act: (values, [name = '', member = '']) => {
      const at = values.zset(name)?.get(member)
      return at === undefined ? null : textOfScore(at)
    },
  },
  ZRANGE: { words: 4, act: range },
  ZRANGEBYSCORE: {
    words: 4,
    act: (values, words) => inScores(values, words).map(([member]) => member),
  },
  ZREM: {
    words: -3,
    writes: true,
    act: (values, [name = '', ...members]) => removeAll(values, name, values.zset(name), members),
  },
  ZREMRANGEBYSCORE: {
    words: 4,
    writes: true,
    act: (values, words) => {
      const [name = ''] = words
      const members = inScores(values, words).map(([member]) => member)
      return removeAll(values, name, values.zset(name), members)
    },
  },
  ZPOPMIN: { words: -2, writes: true, act: popLeast },
}
