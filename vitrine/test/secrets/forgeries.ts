// Edits of stored connections by an attacker who can write to the database and has no master key.
import type { Chance } from './random.ts'
import type { Cell, Row, Statement } from './database-editor.ts'

export interface Grounds {
  /** as they were written by the product, by id */
  readonly rows: ReadonlyMap<string, Row>
  /** what stood in the same rows before their credentials were replaced */
  readonly earlier: ReadonlyMap<string, Row>
  readonly chance: Chance
  /** whether any value fits into any column */
  readonly loose: boolean
}

export interface Forgery {
  readonly name: string
  readonly statements: readonly Statement[]
}

const numbers = new Set(['version', 'created_at', 'replaced_at', 'last_used_at'])
const blobs = new Set(['wrapped', 'sealed'])

const flip = (bytes: Uint8Array, { below }: Chance): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const at = below(copy.length)
  copy[at] = (copy[at] ?? 0) ^ (1 << below(8))
  return copy
}

function otherText(text: string, chance: Chance): Cell {
  const at = chance.below(text.length + 1)
  const bent = String.fromCharCode((text.charCodeAt(Math.max(0, at - 1)) || 65) ^ (1 << chance.below(6)))
  return chance.pick([
    text.slice(0, -1),
    text.slice(1),
    text.slice(0, at) + (bent === '\0' ? 'x' : bent) + text.slice(at + 1),
    `${text} `,
    `${text}x`,
    `${text}${text}`,
    text.toLowerCase(),
    text.toUpperCase(),
    text.replace(/[A-Za-z]/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    text.split('').toReversed().join(''),
    '',
  ])
}

function otherBytes(bytes: Uint8Array, row: Row, chance: Chance): Cell {
  const { below, pick } = chance
  return pick([
    flip(bytes, chance),
    flip(flip(bytes, chance), chance),
    bytes.slice(0, below(bytes.length)),
    bytes.slice(1 + below(bytes.length - 1)),
    // the tag shortened to a length that the cipher would accept
    bytes.slice(0, -(1 + below(12))),
    Uint8Array.from([...bytes, ...chance.bytes(1 + below(40))]),
    new Uint8Array(bytes.length),
    chance.bytes(bytes.length),
    Uint8Array.from([0, ...bytes.slice(1)]),
    Uint8Array.from([...bytes.slice(0, 13), ...chance.bytes(bytes.length - 13)]),
    row['wrapped'] as Cell,
    row['sealed'] as Cell,
    new Uint8Array(0),
  ])
}

function otherNumber(number: bigint, { pick, below }: Chance): Cell {
  const bent = number ^ (1n << BigInt(below(52)))
  return pick([
    number + 1n,
    number - 1n,
    number + BigInt(below(1_000)),
    -number,
    bent,
    0n,
    1n,
    2n,
    2n ** 31n,
    2n ** 53n - 1n,
  ])
}

function otherType(value: Cell, { pick, bytes }: Chance): Cell {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
  return pick<Cell>([text, Buffer.from(text), 7n, 1.5, bytes(44), '1', 'NaN', '[object Object]', `${text}\0`, 0n])
}

/** another value for one column of the row at `id` */
function bend(column: string, id: string, { rows, earlier, chance, loose }: Grounds): Cell {
  const row = rows.get(id) as Row
  const value = row[column] as Cell
  const source = chance.below(loose ? 8 : 6)
  const other = rows.get(chance.pick([...rows.keys()])) as Row
  if (source === 0) return other[column] as Cell
  if (source === 1) return (earlier.get(id) as Row)[column] as Cell
  if (source === 2 && chance.below(3) === 0) return null
  if (source > 5) return otherType(value, chance)
  if (column === 'linkage') return value === null ? 'asked' : null
  if (column === 'token_scope') return value === null ? 'request' : null
  if (value instanceof Uint8Array || blobs.has(column)) return otherBytes(value as Uint8Array, row, chance)
  if (typeof value === 'bigint') return otherNumber(value, chance)
  if (numbers.has(column)) return otherNumber(1_700_000_000_000n, chance)
  return otherText(value === null ? 'issuer' : String(value), chance)
}

const assign = (id: string, changes: Readonly<Record<string, Cell>>): Statement => {
  const names = Object.keys(changes)
  const text = `UPDATE connections SET ${names.map((name) => `${name} = ?`).join()} WHERE id = ?`
  return { text, values: [...names.map((name) => changes[name] as Cell), id] }
}

const insert = (row: Row): Statement => ({
  text: `INSERT INTO connections (${Object.keys(row).join()}) VALUES (${Object.keys(row)
    .map(() => '?')
    .join()})`,
  values: Object.values(row),
})

const drop = (id: string): Statement => ({ text: 'DELETE FROM connections WHERE id = ?', values: [id] })

const freshId = ({ below }: Chance): string => `forged-${below(1e9)}`

const otherId = (id: string, chance: Chance): string =>
  chance.pick([
    freshId(chance),
    `${id} `,
    `${id}x`,
    id.slice(0, -1),
    id.toUpperCase(),
    `${id}/apps`,
    `-${id}`,
    `${id}%00`,
  ])

/** whole rows: taken away, moved, doubled, swapped, made up */
const whole: readonly ((id: string, partner: string, grounds: Grounds) => Forgery)[] = [
  (id) => ({ name: 'removed', statements: [drop(id)] }),
  (id, _, { chance }) => ({ name: 'another id', statements: [assign(id, { id: otherId(id, chance) })] }),
  (id, partner, { rows }) => {
    const [mine, theirs] = [rows.get(id) as Row, rows.get(partner) as Row]
    const moved = [insert({ ...theirs, id }), insert({ ...mine, id: partner })]
    return { name: 'two rows swapped', statements: [drop(id), drop(partner), ...moved] }
  },
  (id, partner, { rows }) => ({
    name: 'the row of another',
    statements: [drop(id), insert({ ...(rows.get(partner) as Row), id })],
  }),
  (id, partner, { rows, chance }) => {
    const { epoch, version } = rows.get(id) as Row
    const theirs = { ...(rows.get(partner) as Row), id, ...(chance.below(2) && { epoch }), version }
    return { name: 'the row of another in my epoch', statements: [drop(id), insert(theirs as Row)] }
  },
  (id, _, { rows, chance }) => ({
    name: 'a copy under a new id',
    statements: [insert({ ...(rows.get(id) as Row), id: freshId(chance) })],
  }),
  (id, _, { rows, chance }) => {
    const row = rows.get(id) as Row
    const made = { wrapped: chance.bytes(61), sealed: chance.bytes(167), id: freshId(chance) }
    return { name: 'a row made up', statements: [insert({ ...row, ...made })] }
  },
]

/** one edit that touches `id`, and sometimes `partner` */
export function forge(id: string, partner: string, grounds: Grounds): Forgery {
  const { chance, rows } = grounds
  if (chance.below(6) === 0) return chance.pick(whole)(id, partner, grounds)
  const columns = chance.shuffle(Object.keys(rows.get(id) as Row).filter((column) => column !== 'id'))
  const chosen = columns.slice(0, chance.pick([1, 1, 1, 2, 3, 4]))
  const changes = Object.fromEntries(chosen.map((column) => [column, bend(column, id, grounds)]))
  return { name: chosen.join(' and '), statements: [assign(id, changes)] }
}
