// The functions of Lua 5.1 that scripts may use: what is not here is refused when a script is compiled.
import { numberOf, textOf, typeOf, less, isTrue } from './operators.ts'
import { type LuaFunction, LuaTable, type LuaValue, tableOf } from './table.ts'

export class LuaError extends Error {}

function number(value: LuaValue): number {
  const found = numberOf(value)
  if (found === undefined) throw new LuaError(`number expected, got ${typeOf(value)}`)
  return found
}

function string(value: LuaValue): string {
  const found = textOf(value)
  if (found === undefined) throw new LuaError(`string expected, got ${typeOf(value)}`)
  return found
}

function table(value: LuaValue): LuaTable {
  if (!(value instanceof LuaTable)) throw new LuaError(`table expected, got ${typeOf(value)}`)
  return value
}

function insert(into: LuaValue, ...values: LuaValue[]): undefined {
  const { list } = table(into)
  if (values.length === 1) table(into).set(list.length + 1, values[0])
  else list.splice(number(values[0]) - 1, 0, values[1])
}

function remove(from: LuaValue, at?: LuaValue): LuaValue {
  const { list } = table(from)
  const place = at === undefined ? list.length : number(at)
  return place >= 1 && place <= list.length ? list.splice(place - 1, 1)[0] : undefined
}

function sort(given: LuaValue, before?: LuaValue): undefined {
  const isBefore =
    before === undefined ? less : (a: LuaValue, b: LuaValue) => isTrue(firstOf((before as LuaFunction)(a, b)))
  table(given).list.sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0))
}

const firstOf = (result: ReturnType<LuaFunction>): LuaValue => (Array.isArray(result) ? result[0] : result)

const classes: Readonly<Record<string, string>> = { d: '0-9', x: '0-9a-fA-F', a: 'A-Za-z', w: '0-9A-Za-z', s: '\\s' }

/** patterns of classes, signs, anchors and one capture: the whole match without one */
function match(text: LuaValue, pattern: LuaValue): LuaValue {
  const source = string(pattern).replace(/%(.)/g, (all, name: string) => {
    if (/\w/.test(name) && !classes[name]) throw new LuaError(`the pattern ${all} is not known here`)
    return classes[name] ? `[${classes[name]}]` : `\\${name}`
  })
  const found = new RegExp(source).exec(string(text))
  return found ? (found[1] ?? found[0]) : undefined
}

function tonumber(value: LuaValue): LuaValue {
  return numberOf(value)
}

export const library = {
  tonumber,
  tostring: (value: LuaValue) => textOf(value) ?? (typeof value === 'boolean' ? String(value) : typeOf(value)),
  type: (value: LuaValue) => typeOf(value),
  unpack: (list: LuaValue) => [...table(list).list],
  math: {
    floor: (value: LuaValue) => Math.floor(number(value)),
    ceil: (value: LuaValue) => Math.ceil(number(value)),
    abs: (value: LuaValue) => Math.abs(number(value)),
    min: (...values: LuaValue[]) => {
      let least = number(values[0])
      for (let i = 1; i < values.length; i++) least = Math.min(least, number(values[i]))
      return least
    },
    max: (...values: LuaValue[]) => {
      let most = number(values[0])
      for (let i = 1; i < values.length; i++) most = Math.max(most, number(values[i]))
      return most
    },
    huge: Infinity,
  },
  table: {
    insert,
    remove,
    sort,
    concat: (list: LuaValue, between: LuaValue = '') => table(list).list.map(textOf).join(textOf(between)),
  },
  string: {
    match,
    sub: (text: LuaValue, from: LuaValue, to: LuaValue = -1) => {
      const own = string(text)
      const [begin, end] = [number(from), number(to)].map((at) => (at < 0 ? own.length + at + 1 : at)) as [
        number,
        number,
      ]
      return own.slice(Math.max(0, begin - 1), Math.max(0, end))
    },
    len: (text: LuaValue) => string(text).length,
  },
} as const

export { tableOf }
