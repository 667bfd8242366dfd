// Compiles a Lua 5.1 script to a function of JavaScript, in one pass. What scripts here do not use (metatables, coroutines,
// methods, globals of their own) is refused by name. Long: statements and expressions refer to each other.
import * as operators from './operators.ts'
import type { LuaFunction, LuaResult, LuaTable } from './table.ts'
import { tableOf } from './table.ts'
import { type Token, tokensOf } from './tokens.ts'

export type Library = Readonly<Record<string, LuaFunction | Readonly<Record<string, LuaFunction | number>>>>
export type Compiled = (library: Library, KEYS: LuaTable, ARGV: LuaTable) => LuaResult

interface Expression {
  readonly js: string
  /** the same as a condition of JavaScript */
  readonly test?: string
  /** a call: it may return several values, or none */
  readonly isMulti?: true
  readonly assign?: (value: string) => string
}

const binary: Readonly<Record<string, readonly [left: number, right: number]>> = {
  or: [1, 1],
  and: [2, 2],
  ...Object.fromEntries(['<', '>', '<=', '>=', '~=', '=='].map((sign) => [sign, [3, 3]])),
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
}
const unaryPower = 8

const functionOf: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'mod',
  '^': 'pow',
  '..': 'concat',
}
const comparisonOf: Readonly<Record<string, (a: string, b: string) => string>> = {
  '==': (a, b) => `(${a} === ${b})`,
  '~=': (a, b) => `(${a} !== ${b})`,
  '<': (a, b) => `less(${a}, ${b})`,
  '<=': (a, b) => `atMost(${a}, ${b})`,
  '>': (a, b) => `less(${b}, ${a})`,
  '>=': (a, b) => `atMost(${b}, ${a})`,
}

const single = ({ js, isMulti }: Expression): string => (isMulti ? `first(${js})` : js)
const testOf = (expression: Expression): string => expression.test ?? `isTrue(${single(expression)})`
const spread = (list: readonly Expression[]): string =>
  list.map((one, i) => (one.isMulti && i === list.length - 1 ? `...many(${one.js})` : single(one))).join(', ')

class Compiler {
  readonly #tokens: Token[]
  readonly #library: Library
  #at = 0
  #names = 0
  readonly #scopes: Map<string, string>[] = [
    new Map([
      ['KEYS', 'KEYS'],
      ['ARGV', 'ARGV'],
    ]),
  ]
  readonly #temporaries: string[][] = []

  constructor(source: string, library: Library) {
    this.#tokens = tokensOf(source)
    this.#library = library
  }

  compile(): string {
    const body = this.#body(() => undefined)
    if (this.#next.kind !== 'end') throw this.#unknown()
    return body
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token
  }

  #unknown(what = this.#next.text): Error {
    return new Error(`line ${this.#next.line}: ${what} is not known here`)
  }

  #is(sign: string): boolean {
    return this.#next.kind === 'sign' && this.#next.text === sign
  }

  #accept(sign: string): boolean {
    const isIt = this.#is(sign)
    if (isIt) this.#at++
    return isIt
  }

  #expect(sign: string) {
    if (!this.#accept(sign)) throw this.#unknown()
  }

  #name(): string {
    if (this.#next.kind !== 'name') throw this.#unknown()
    return (this.#tokens[this.#at++] as Token).text
  }

  #fresh(name: string): string {
    return `${name}$${++this.#names}`
  }

  #declare(name: string, js = this.#fresh(name)): string {
    this.#scopes.at(-1)?.set(name, js)
    return js
  }

  #temporary(): string {
    const name = this.#fresh('t')
    this.#temporaries.at(-1)?.push(name)
    return name
  }

  /** the body of a function, with the temporaries it needs */
  #body(declare: () => void): string {
    this.#temporaries.push([])
    const block = this.#block(declare)
    const temporaries = this.#temporaries.pop() ?? []
    return `${temporaries.length > 0 ? `let ${temporaries.join(', ')};` : ''}${block}`
  }

  #block(declare: () => void = () => undefined): string {
    this.#scopes.push(new Map())
    declare()
    const statements: string[] = []
    while (!['end', 'else', 'elseif', 'until'].some((sign) => this.#is(sign)) && this.#next.kind !== 'end') {
      statements.push(this.#statement())
      this.#accept(';')
    }
    this.#scopes.pop()
    return statements.join('\n')
  }

  #statement(): string {
    if (this.#accept('local')) return this.#accept('function') ? this.#localFunction() : this.#local()
    if (this.#accept('if')) return this.#if()
    if (this.#accept('for')) return this.#for()
    if (this.#accept('return')) return this.#return()
    if (this.#accept('break')) return 'break'
    if (this.#accept('while')) {
      const test = testOf(this.#expression())
      this.#expect('do')
      return `while (${test}) {${this.#blockTo('end')}}`
    }
    if (this.#accept('do')) return `{${this.#blockTo('end')}}`
    if (this.#is('repeat') || this.#is('function')) throw this.#unknown()
    return this.#assignmentOrCall()
  }

  #blockTo(sign: string, declare?: () => void): string {
    const block = this.#block(declare)
    this.#expect(sign)
    return block
  }

  #localFunction(): string {
    const js = this.#declare(this.#name())
    return `let ${js} = ${this.#function()};`
  }

  #local(): string {
    const names = [this.#name()]
    while (this.#accept(',')) names.push(this.#name())
    const values = this.#accept('=') ? this.#expressions() : []
    const [before, parts] = this.#valuesFor(values, names.length)
    return `${before}let ${names.map((name, i) => `${this.#declare(name)} = ${parts[i]}`).join(', ')};`
  }

  /** exactly so many values, the last call giving several of them */
  #valuesFor(values: readonly Expression[], count: number): [before: string, parts: string[]] {
    const parts = values.map(single)
    const last = values.at(-1)
    if (!last?.isMulti || values.length >= count)
      return ['', [...parts, ...Array<string>(Math.max(0, count - parts.length)).fill('undefined')]]
    const all = this.#fresh('all')
    const rest = Array.from({ length: count - values.length + 1 }, (_, i) => `${all}[${i}]`)
    return [`const ${all} = many(${last.js});`, [...parts.slice(0, -1), ...rest]]
  }

  #assignmentOrCall(): string {
    const targets = [this.#suffixed()]
    if (targets[0]?.isMulti) return `${targets[0].js};`
    while (this.#accept(',')) targets.push(this.#suffixed())
    this.#expect('=')
    const [before, parts] = this.#valuesFor(this.#expressions(), targets.length)
    const assign = ({ assign: put }: Expression, value: string) => {
      if (!put) throw this.#unknown('an assignment to this')
      return `${put(value)};`
    }
    if (targets.length === 1) return assign(targets[0] as Expression, parts[0] ?? 'undefined')
    const names = targets.map(() => this.#fresh('v'))
    const held = `const ${names.map((name, i) => `${name} = ${parts[i]}`).join(', ')};`
    return `{${before}${held}${targets.map((target, i) => assign(target, names[i] ?? '')).join('')}}`
  }

  #if(): string {
    const test = testOf(this.#expression())
    this.#expect('then')
    const then = `if (${test}) {${this.#block()}}`
    if (this.#accept('elseif')) return `${then} else ${this.#if()}`
    if (this.#accept('else')) return `${then} else {${this.#blockTo('end')}}`
    this.#expect('end')
    return then
  }

  #for(): string {
    const name = this.#name()
    if (this.#accept('=')) return this.#numericFor(name)
    const names = [name]
    while (this.#accept(',')) names.push(this.#name())
    this.#expect('in')
    const walk = this.#name()
    if (walk !== 'pairs' && walk !== 'ipairs') throw this.#unknown(walk)
    this.#expect('(')
    const table = single(this.#expression())
    this.#expect(')')
    this.#expect('do')
    const [key, value] = [this.#fresh('key'), this.#fresh('value')]
    const body = this.#blockTo('end', () => {
      this.#declare(name, key)
      if (names[1] !== undefined) this.#declare(names[1], value)
    })
    if (walk === 'pairs') return `for (let [${key}, ${value}] of pairs(${table})) {${body}}`
    const at = this.#fresh('at')
    const of = this.#fresh('of')
    const head = `const ${of} = ${table}; for (let ${at} = 1, ${value}; (${value} = index(${of}, ${at})) !== undefined; ${at}++)`
    return `{${head} {let ${key} = ${at};${body}}}`
  }

  #numericFor(name: string): string {
    const [from, to, step = { js: '1' }] = this.#expressions()
    this.#expect('do')
    if (!from || !to) throw this.#unknown()
    const [at, end, by] = [this.#fresh('at'), this.#fresh('end'), this.#fresh('by')]
    const head = `let ${at} = number(${single(from)}), ${end} = number(${single(to)}), ${by} = number(${single(step)})`
    const test = `${by} > 0 ? ${at} <= ${end} : ${at} >= ${end}`
    const body = this.#blockTo('end', () => this.#declare(name, `${name}$of$${at}`))
    return `for (${head}; ${test}; ${at} += ${by}) {let ${name}$of$${at} = ${at};${body}}`
  }

  #return(): string {
    const isEmpty = this.#next.kind === 'end' || ['end', 'else', 'elseif', ';'].some((sign) => this.#is(sign))
    if (isEmpty) return 'return [];'
    const values = this.#expressions()
    const [only] = values
    return `return ${values.length === 1 && only ? only.js : `[${spread(values)}]`};`
  }

  #expressions(): Expression[] {
    const list = [this.#expression()]
    while (this.#accept(',')) list.push(this.#expression())
    return list
  }

  #expression(power = 0): Expression {
    let left = this.#unary()
    for (;;) {
      const { kind, text } = this.#next
      const powers = kind === 'sign' && Object.hasOwn(binary, text) ? binary[text] : undefined
      if (!powers || powers[0] <= power) return left
      this.#at++
      left = this.#combine(text, left, this.#expression(powers[1]))
    }
  }

  #combine(sign: string, left: Expression, right: Expression): Expression {
    const [a, b] = [single(left), single(right)]
    if (sign === 'and' || sign === 'or') {
      const held = this.#temporary()
      const test = `(${testOf(left)} ${sign === 'and' ? '&&' : '||'} ${testOf(right)})`
      return { js: `(isTrue(${held} = ${a}) ? ${sign === 'and' ? `${b} : ${held}` : `${held} : ${b}`})`, test }
    }
    const compare = comparisonOf[sign]
    const js = compare ? compare(a, b) : `${functionOf[sign]}(${a}, ${b})`
    return compare ? { js, test: js } : { js }
  }

  #unary(): Expression {
    if (this.#accept('not')) {
      const js = `!${testOf(this.#expression(unaryPower))}`
      return { js, test: js }
    }
    if (this.#accept('-')) return { js: `neg(${single(this.#expression(unaryPower))})` }
    if (this.#accept('#')) return { js: `size(${single(this.#expression(unaryPower))})` }
    return this.#simple()
  }

  #simple(): Expression {
    const { kind, text } = this.#next
    if (kind === 'number' || kind === 'string') {
      this.#at++
      return { js: kind === 'number' ? String(Number(text)) : JSON.stringify(text) }
    }
    if (this.#accept('nil')) return { js: 'undefined' }
    if (this.#accept('true')) return { js: 'true' }
    if (this.#accept('false')) return { js: 'false' }
    if (this.#accept('function')) return { js: this.#function() }
    if (this.#is('{')) return { js: this.#table() }
    return this.#suffixed()
  }

  #function(): string {
    const names: string[] = []
    this.#expect('(')
    while (!this.#is(')')) {
      names.push(this.#name())
      if (!this.#accept(',')) break
    }
    this.#expect(')')
    const locals = names.map((name) => this.#fresh(name))
    const body = this.#body(() => names.forEach((name, i) => this.#declare(name, locals[i])))
    this.#expect('end')
    return `(${locals.join(', ')}) => {${body}; return []}`
  }

  #table(): string {
    const [list, rest]: [Expression[], string[]] = [[], []]
    this.#expect('{')
    while (!this.#is('}')) {
      if (this.#accept('[')) {
        const key = single(this.#expression())
        this.#expect(']')
        this.#expect('=')
        rest.push(`[${key}, ${single(this.#expression())}]`)
      } else if (this.#next.kind === 'name' && this.#tokens[this.#at + 1]?.text === '=') {
        const key = JSON.stringify(this.#name())
        this.#expect('=')
        rest.push(`[${key}, ${single(this.#expression())}]`)
      } else list.push(this.#expression())
      if (!this.#accept(',') && !this.#accept(';')) break
    }
    this.#expect('}')
    return `table([${spread(list)}], [${rest.join(', ')}])`
  }

  /** a variable or an expression in brackets, with what is read and called of it */
  #suffixed(): Expression {
    let left: Expression
    if (this.#accept('(')) {
      left = { js: single(this.#expression()) }
      this.#expect(')')
    } else left = this.#variable()
    for (;;) {
      if (this.#accept('.')) left = this.#member(left, JSON.stringify(this.#name()))
      else if (this.#accept('[')) {
        left = this.#member(left, single(this.#expression()))
        this.#expect(']')
      } else if (this.#accept('(')) {
        const values = this.#is(')') ? [] : this.#expressions()
        this.#expect(')')
        left = { js: `callable(${single(left)})(${spread(values)})`, isMulti: true }
      } else return left
    }
  }

  #member(of: Expression, key: string): Expression {
    const table = single(of)
    return { js: `index(${table}, ${key})`, assign: (value) => `put(${table}, ${key}, ${value})` }
  }

  #variable(): Expression {
    const name = this.#name()
    const js = this.#scopes.findLast((scope) => scope.has(name))?.get(name)
    if (js !== undefined) return { js, assign: (value) => `${js} = ${value}` }
    const known = this.#library[name]
    if (typeof known === 'function') return { js: `library.${name}` }
    if (!known) throw this.#unknown(name)
    this.#expect('.')
    const member = this.#name()
    if (!Object.hasOwn(known, member)) throw this.#unknown(`${name}.${member}`)
    return { js: `library.${name}.${member}` }
  }
}

const parts = {
  ...operators,
  number: (value: Parameters<typeof operators.neg>[0]) => -operators.neg(value),
  pairs: (table: LuaTable) => table.pairs(),
  table(list: Parameters<typeof tableOf>[0], rest: readonly (readonly [never, never])[]) {
    const made = tableOf(list)
    for (const [key, value] of rest) if (value !== undefined) made.set(key, value)
    return made
  },
}

/** `library` names what the script may use; each run may bring other functions of these names */
export function compileLua(source: string, library: Library): Compiled {
  const body = new Compiler(source, library).compile()
  const names = Object.keys(parts)
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- the text was made above
  const make = new Function(
    'parts',
    `'use strict'; const {${names.join(', ')}} = parts; return (library, KEYS, ARGV) => {${body}}`,
  )
  return make(parts) as Compiled
}
