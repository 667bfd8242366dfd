// One Redis: its values, clock and scripts, and the state in which it refuses. A command is one step, as in the server.
import { hash } from 'node:crypto'
import { type Compiled, compileLua, type Library } from '../lua/compile.ts'
import { library, LuaError } from '../lua/library.ts'
import { pack, read, unpack } from '../lua/msgpack.ts'
import { textOf } from '../lua/operators.ts'
import { LuaTable, type LuaResult, type LuaValue, tableOf } from '../lua/table.ts'
import { commands } from './commands.ts'
import { type RedisAnswer, RedisError, Status, Values } from './values.ts'

/** full: refuses what takes memory; the others refuse every write */
export type Refusal = 'OOM' | 'READONLY' | 'MISCONF' | 'NOREPLICAS'

const refusalTexts: Readonly<Record<Refusal, string>> = {
  OOM: "OOM command not allowed when used memory > 'maxmemory'.",
  READONLY: "READONLY You can't write against a read only replica.",
  MISCONF: 'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist to disk.',
  NOREPLICAS: 'NOREPLICAS Not enough good replicas to write.',
}
/** what a full server still does */
const freeing = new Set(['DEL', 'PEXPIRE', 'PEXPIREAT', 'HDEL', 'ZREM', 'ZREMRANGEBYSCORE', 'ZPOPMIN'])

const rows = new Map(Object.entries(commands))

const scripts = new Map<string, Compiled>()

export interface RedisStoreOptions {
  /** milliseconds of the server's clock; it stands still during a command */
  readonly now: () => number
  readonly runId: string
  readonly publish: (channel: string, message: string) => number
  /** of the script that checks health: it removes its one value and answers 1, wherever writes are taken */
  readonly checkSha?: string | undefined
}

export class RedisStore {
  readonly #options: RedisStoreOptions
  readonly #known = new Set<string>()
  #library: Library
  readonly #readOnly: Library
  #at = 0
  readonly #now = () => this.#at
  readonly values: Values
  refusal: Refusal | undefined

  constructor(options: RedisStoreOptions) {
    this.#options = options
    this.values = new Values(this.#now)
    this.#library = {
      ...library,
      cmsgpack: { pack, unpack },
      redis: { call: (...words: LuaValue[]) => this.#fromScript(words) },
    }
    this.#readOnly = {
      ...this.#library,
      cmsgpack: { pack: () => '', unpack: read },
      redis: { call: (...words: LuaValue[]) => (words[0] === 'SET' ? true : this.#fromScript(words)) },
    }
  }

  /** what a script would answer, if its one write is a SET of what it packed: nothing is written */
  peek(words: readonly string[]): RedisAnswer {
    const library = this.#library
    this.#library = this.#readOnly
    try {
      return this.do(words)
    } finally {
      this.#library = library
    }
  }

  do(words: readonly string[]): RedisAnswer {
    this.#at = this.#options.now()
    try {
      return this.#act(words)
    } catch (error) {
      if (error instanceof RedisError) return error
      throw error
    }
  }

  #act(all: readonly string[]): RedisAnswer {
    const [given = '', ...words] = all
    const name = rows.has(given) ? given : given.toUpperCase()
    const row = rows.get(name)
    if (!row) return this.#special(name, given, words)
    const isCounted = row.words < 0 ? all.length >= -row.words : all.length === row.words
    if (!isCounted) throw new RedisError(`ERR wrong number of arguments for '${name.toLowerCase()}' command`)
    if (row.writes) this.#requireWritable(name)
    return row.act(this.values, words, this.#now)
  }

  #special(name: string, given: string, words: readonly string[]): RedisAnswer {
    if (name === 'EVAL') return this.#eval(words[0] ?? '', words.slice(1))
    if (name === 'EVALSHA') return this.#evalSha(words)
    if (name === 'INFO') return `# Server\r\nredis_version:7.0.15\r\nrun_id:${this.#options.runId}\r\n`
    if (name === 'PUBLISH') return this.#options.publish(words[0] ?? '', words[1] ?? '')
    throw new RedisError(`ERR unknown command '${given}', with args beginning with: `)
  }

  #requireWritable(name: string) {
    if (this.refusal && !(this.refusal === 'OOM' && freeing.has(name))) throw new RedisError(refusalTexts[this.refusal])
  }

  #evalSha([sha = '', ...rest]: readonly string[]): RedisAnswer {
    if (!this.#known.has(sha)) throw new RedisError('NOSCRIPT No matching script. Please use EVAL.')
    // checks of health are most of what is asked: once it ran, this script does the same while writes are taken
    if (sha === this.#options.checkSha && !this.refusal) {
      this.values.delete(rest[1] ?? '')
      return 1
    }
    return this.#run(sha, scripts.get(sha) as Compiled, rest)
  }

  #eval(text: string, rest: readonly string[]): RedisAnswer {
    const sha = hash('sha1', text)
    let compiled = scripts.get(sha)
    if (!compiled) scripts.set(sha, (compiled = compileLua(text, this.#library)))
    this.#known.add(sha)
    return this.#run(sha, compiled, rest)
  }

  #run(sha: string, compiled: Compiled, [count = '0', ...words]: readonly string[]): RedisAnswer {
    const names = Number(count)
    try {
      return answerOf(compiled(this.#library, tableOf(words.slice(0, names)), tableOf(words.slice(names))))
    } catch (error) {
      if (error instanceof RedisError) throw new RedisError(`${error.message} script: ${sha}, on @user_script:1.`)
      if (error instanceof LuaError || error instanceof Error)
        throw new RedisError(`ERR ${error.message} script: ${sha}`)
      throw error
    }
  }

  #fromScript(words: readonly LuaValue[]): LuaResult {
    const texts: string[] = []
    for (const word of words) {
      const text = typeof word === 'string' ? word : textOf(word)
      if (text === undefined) throw new RedisError('ERR Lua redis lib command arguments must be strings or integers')
      texts.push(text)
    }
    return valueOf(this.#act(texts))
  }
}

/** the answer of a command as a script sees it */
function valueOf(answer: RedisAnswer): LuaValue {
  if (answer === null) return false
  if (typeof answer === 'string' || typeof answer === 'number') return answer
  if (Array.isArray(answer)) return tableOf(answer.map(valueOf))
  const table = new LuaTable()
  if (answer instanceof Status) table.set('ok', answer.text)
  return table
}

/** what a script returns as an answer */
function answerOf(result: LuaResult): RedisAnswer {
  const value = Array.isArray(result) ? result[0] : result
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value === 'string') return value
  if (value === true) return 1
  if (!(value instanceof LuaTable)) return null
  const [status, error] = [value.get('ok'), value.get('err')]
  if (typeof error === 'string') throw new RedisError(error)
  if (typeof status === 'string') return new Status(status)
  const end = value.list.indexOf(undefined)
  return (end < 0 ? value.list : value.list.slice(0, end)).map(answerOf)
}
