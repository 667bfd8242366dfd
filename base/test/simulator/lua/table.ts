// The table of Lua: a list for the keys from 1, a map for all others. It is walked in the order of insertion.

export type LuaFunction = (...values: LuaValue[]) => LuaResult
export type LuaValue = string | number | boolean | undefined | LuaTable | LuaFunction
/** an array: several values, or none */
export type LuaResult = LuaValue | LuaValue[]

export class LuaTable {
  readonly list: LuaValue[] = []
  readonly map = new Map<LuaValue, LuaValue>()

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.list.length && Number.isInteger(key))
      return this.list[key - 1]
    return this.map.get(key)
  }

  set(key: LuaValue, value: LuaValue) {
    if (typeof key === 'number') this.#setNumber(key, value)
    else if (key === undefined) throw new Error('table index is nil')
    else if (value === undefined) this.map.delete(key)
    else this.map.set(key, value)
  }

  #setNumber(key: number, value: LuaValue) {
    const { list, map } = this
    if (key >= 1 && key <= list.length && Number.isInteger(key)) {
      list[key - 1] = value
      while (list.length > 0 && list[list.length - 1] === undefined) list.pop()
      return
    }
    if (Number.isNaN(key)) throw new Error('table index is NaN')
    if (value === undefined || key !== list.length + 1) {
      if (value === undefined) map.delete(key)
      else map.set(key, value)
      return
    }
    list.push(value)
    map.delete(key)
    for (let next = map.get(list.length + 1); next !== undefined; next = map.get(list.length + 1)) {
      map.delete(list.length + 1)
      list.push(next)
    }
  }

  get size(): number {
    return this.list.length
  }

  *pairs(): Generator<[LuaValue, LuaValue]> {
    for (let i = 0; i < this.list.length; i++) if (this.list[i] !== undefined) yield [i + 1, this.list[i]]
    yield* this.map
  }
}

export function tableOf(values: readonly LuaValue[]): LuaTable {
  const table = new LuaTable()
  for (let i = 0; i < values.length; i++) if (values[i] !== undefined) table.set(i + 1, values[i])
  return table
}
