// The columns of a table of items: which, in which order and how wide, and a short text for each cell.
import { Digits, isList, type ExactJson, type Members, printBeginning } from './exact-json.ts'
import type { FieldForm, Form } from './operation-form.ts'

export interface ItemColumn {
  readonly name: string
  readonly image: FieldForm['image']
  /** in letters */
  readonly width: number
}

/** a cell has room for no more */
const mostLetters = 160

export function shortText(value: ExactJson | undefined): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'string') return value.slice(0, mostLetters)
  if (value instanceof Digits) return value.text
  const isTexts = isList(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  if (isTexts) return value.slice(0, mostLetters).join(', ').slice(0, mostLetters)
  return printBeginning(value, mostLetters)
}

const isBulky = ({ type, image }: FieldForm): boolean =>
  image === undefined && /\buri\b|^(object|array|list)\b/.test(type)

/** names before pictures, addresses and trees; empty columns last */
function rankOf(name: string, field: FieldForm | undefined, isEmpty: boolean): number {
  if (name === 'id') return 0
  if (isEmpty) return 5
  if (field?.kind !== 'attribute') return 4
  return field.image ? 2 : isBulky(field) ? 3 : 1
}

const fewest = 5
const most = 34
/** ids are not cut */
const longestId = 40
/** items whose width is measured */
const measured = 50

function widthOf(name: string, image: FieldForm['image'], items: readonly Members[]): number {
  if (image) return 14
  const widest = items.slice(0, measured).map((item) => shortText(item.get(name)).length)
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
