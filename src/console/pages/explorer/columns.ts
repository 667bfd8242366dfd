// What a table of items shows: which columns, in which order and how wide, and a short text for each cell.
import { Digits, isList, type Json, type Members, printBeginning } from './json.ts'
import type { FieldForm, Form } from './forms.ts'

export interface ItemColumn {
  readonly name: string
  readonly image: FieldForm['image']
  /** in letters */
  readonly width: number
}

/** a cell has room for no more, and a row must be quick even where a text is not */
const mostLetters = 160

/** undefined: it is not there */
export function shortText(value: Json | undefined): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'string') return value.slice(0, mostLetters)
  if (value instanceof Digits) return value.text
  const isTexts = isList(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  if (isTexts) return value.slice(0, mostLetters).join(', ').slice(0, mostLetters)
  return printBeginning(value, mostLetters)
}

const isBulky = ({ type, image }: FieldForm): boolean =>
  image === undefined && /\buri\b|^(object|array|list)\b/.test(type)

/** what a person looks for first stands first: names before pictures, addresses and trees, and what is empty last */
function rankOf(name: string, field: FieldForm | undefined, isEmpty: boolean): number {
  if (name === 'id') return 0
  if (isEmpty) return 5
  if (field?.kind !== 'attribute') return 4
  return field.image ? 2 : isBulky(field) ? 3 : 1
}

const fewest = 5
const most = 34
/** an id that is cut is no use */
const longestId = 40
/** enough to know how wide the rest will be */
const looked = 50

function widthOf(name: string, image: FieldForm['image'], items: readonly Members[]): number {
  if (image) return 14
  const widest = items.slice(0, looked).map((item) => shortText(item.get(name)).length)
  return Math.min(name === 'id' ? longestId : most, Math.max(fewest, name.length, ...widest))
}

export function columnsOf(form: Form, items: readonly Members[]): readonly ItemColumn[] {
  const order = new Map(['id', ...form.fields.map(({ name }) => name)].map((name, i) => [name, i]))
  const present = new Set(items.flatMap((item) => item.entries.map(([name]) => name)))
  const fields = new Map(form.fields.map((field) => [field.name, field]))
  const ranked = [...present].map((name) => {
    const isEmpty = items.every((item) => (item.get(name) ?? null) === null)
    return { name, rank: rankOf(name, fields.get(name), isEmpty), at: order.get(name) ?? order.size }
  })
  return ranked
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ name }) => ({ name, image: fields.get(name)?.image, width: widthOf(name, fields.get(name)?.image, items) }))
}
