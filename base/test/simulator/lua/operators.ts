// The operators of Lua 5.1 over values of JavaScript. Its numbers are doubles, as those of JavaScript.
import { LuaTable, type LuaFunction, type LuaResult, type LuaValue } from './table.ts'

const typeOf = (value: LuaValue): string =>
  value === undefined ? 'nil' : value instanceof LuaTable ? 'table' : typeof value

const wrong = (what: string, value: LuaValue): Error => new Error(`attempt to ${what} a ${typeOf(value)} value`)

export const first = (result: LuaResult): LuaValue => (Array.isArray(result) ? result[0] : result)
export const many = (result: LuaResult): LuaValue[] => (Array.isArray(result) ? result : [result])
export const isTrue = (value: LuaValue): boolean => value !== undefined && value !== false

/** as %.14g of C */
export function textOfNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e14) return Object.is(value, -0) ? '-0' : String(value)
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const [digits = '', exponent] = value.toExponential(13).split('e')
  const power = Number(exponent)
  const trim = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  if (power >= -4 && power < 14) return trim(value.toFixed(13 - power))
  return `${trim(digits)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

export function numberOf(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!/^[-+]?(0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)$/.test(text)) return undefined
  return /^[-+]0x/i.test(text) ? Number(text.slice(1)) * (text[0] === '-' ? -1 : 1) : Number(text)
}

function operand(value: LuaValue): number {
  const number = numberOf(value)
  if (number === undefined) throw wrong('perform arithmetic on', value)
  return number
}

const areNumbers = (a: LuaValue, b: LuaValue): boolean => typeof a === 'number' && typeof b === 'number'

export const add = (a: LuaValue, b: LuaValue): number =>
  areNumbers(a, b) ? (a as number) + (b as number) : operand(a) + operand(b)
export const sub = (a: LuaValue, b: LuaValue): number =>
  areNumbers(a, b) ? (a as number) - (b as number) : operand(a) - operand(b)
export const mul = (a: LuaValue, b: LuaValue): number => operand(a) * operand(b)
export const div = (a: LuaValue, b: LuaValue): number => operand(a) / operand(b)
export const pow = (a: LuaValue, b: LuaValue): number => operand(a) ** operand(b)
export const mod = (a: LuaValue, b: LuaValue): number => {
  const [x, y] = [operand(a), operand(b)]
  return x - Math.floor(x / y) * y
}
export const neg = (a: LuaValue): number => -operand(a)

export function less(a: LuaValue, b: LuaValue): boolean {
  if (areNumbers(a, b)) return (a as number) < (b as number)
  if (typeof a === 'string' && typeof b === 'string') return a < b
  throw typeOf(a) === typeOf(b)
    ? new Error(`attempt to compare two ${typeOf(a)} values`)
    : new Error(`attempt to compare ${typeOf(a)} with ${typeOf(b)}`)
}

export const atMost = (a: LuaValue, b: LuaValue): boolean =>
  areNumbers(a, b) ? (a as number) <= (b as number) : a === b || less(a, b)

export const textOf = (value: LuaValue): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? textOfNumber(value) : undefined

export function concat(a: LuaValue, b: LuaValue): string {
  const [x, y] = [textOf(a), textOf(b)]
  if (x === undefined || y === undefined) throw wrong('concatenate', x === undefined ? a : b)
  return x + y
}

export function size(value: LuaValue): number {
  if (value instanceof LuaTable) return value.size
  if (typeof value === 'string') return value.length
  throw wrong('get length of', value)
}

export function index(table: LuaValue, key: LuaValue): LuaValue {
  if (table instanceof LuaTable) return table.get(key)
  throw wrong('index', table)
}

export function put(table: LuaValue, key: LuaValue, value: LuaValue) {
  if (!(table instanceof LuaTable)) throw wrong('index', table)
  table.set(key, value)
}

export function callable(value: LuaValue): LuaFunction {
  if (typeof value === 'function') return value
  throw wrong('call', value)
}

export { typeOf }
