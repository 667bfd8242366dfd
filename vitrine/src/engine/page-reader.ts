// Flattens a page as text, without objects, if all its items have one form. The replacement for what the form's expression finds is
// the flat item. Any other page is parsed.
import { isJsonObject } from '../../../base/core/json.ts'
import type { Route } from '../catalogue/define.ts'
import { pageSize } from '../catalogue/parameters.ts'
import { type Outline, outlineOf } from './flatten.ts'
import { formOf, isPlainId, type ItemForm } from './item-form.ts'
import { readPageEnd } from './page-end.ts'
import type { PlainText, TextPage } from './port.ts'
import type { Expectation } from './shape.ts'

/** shorter ones are parsed in less time than this saves */
const shortest = 4 * 1024
const before = '{"data":['
const after = '],"links":'

interface Expected extends Outline {
  readonly type: string
}

/** the flat item, with references to the groups of the expression; undefined: an id of the path is not plain */
function replacementOf({ names }: ItemForm, { attributes, blank }: Expected): string | undefined {
  const references = new Map(names.map((name, at) => [attributes.get(name)?.name, `$${at + 2}`]))
  const fields = ['"id":"$1"']
  for (const [name, value] of Object.entries(blank)) {
    const reference = references.get(name)
    if (reference) fields.push(`"${name}":${reference}`)
    else if (typeof value === 'string' && isPlainId(value)) fields.push(`"${name}":"${value}"`)
    else if (value !== undefined) return undefined
  }
  return `{${fields.join(',')}}$${names.length + 2}`
}

/** a flat item has no object as its last value, so what ends like this was not flattened */
const isUnflattened = (items: string): boolean => items.endsWith(']') || items.endsWith('}},')

function flattenBy(form: ItemForm, lists: readonly string[], expected: Expected): string[] | undefined {
  const replacement = replacementOf(form, expected)
  if (replacement === undefined) return undefined
  const flattened: string[] = []
  for (const list of lists) {
    const items = list.replace(form.expression, replacement)
    if (isUnflattened(items)) return undefined
    flattened.push(items)
  }
  return flattened
}

/** the latest form of each kind of resource: most pages have it */
const latest = new WeakMap<Outline['attributes'], ItemForm>()

interface Flattened {
  readonly items: readonly string[]
  readonly form: ItemForm
}

function flattenAll(lists: readonly string[], expected: Expected): Flattened | undefined {
  const { attributes, type } = expected
  const known = latest.get(attributes)
  const flattened = known && flattenBy(known, lists, expected)
  if (known && flattened) return { items: flattened, form: known }
  const form = formOf(lists[0] ?? '', type, attributes)
  if (!form || form.expression === known?.expression) return undefined
  const items = flattenBy(form, lists, expected)
  if (!items) return undefined
  latest.set(attributes, form)
  return { items, form }
}

function idsIn(items: string): string[] {
  const ids: string[] = []
  const start = '{"id":"'
  // no string holds a quote without a backslash before it
  for (let at = items.indexOf(start); at >= 0; at = items.indexOf(start, at)) {
    const from = at + start.length
    at = items.indexOf('"', from)
    ids.push(items.slice(from, at))
  }
  return ids
}

/** the pieces between `before` and `after`, with the bracket after the last item, and what follows that */
function cutOut(pieces: readonly string[]): { readonly lists: string[]; readonly rest: string } | undefined {
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  const endAt = last.lastIndexOf(after)
  if (endAt < 0 || !first.startsWith(before)) return undefined
  const lists = [...pieces.slice(0, -1), last.slice(0, endAt + 1)]
  lists[0] = (lists[0] ?? '').slice(before.length)
  return { lists, rest: last.slice(endAt + 2) }
}

/** of a route whose answers are pages of resources; undefined: the document has to be parsed */
export function readPage(
  { pieces, isAscii }: PlainText,
  parse: (latin1: string) => unknown,
  { returns, type }: Route,
  { limit = pageSize.standard, ...selection }: Expectation,
): TextPage | undefined {
  if (pieces.length === 1 && (pieces[0] ?? '').length < shortest) return undefined
  const found = cutOut(pieces)
  const outline = found && returns && outlineOf(returns, selection)
  const flattened = outline && flattenAll(found.lists, { ...outline, type })
  if (!flattened) return undefined
  const { items, form } = flattened
  const rest = parse(`{${found.rest}`)
  if (!isJsonObject(rest) || 'data' in rest || 'errors' in rest) return undefined
  const ids = items.flatMap(idsIn)
  const distinct = new Set(ids).size
  if (distinct < ids.length || ids.length > limit) return undefined
  return {
    items: isAscii ? items : items.map((piece) => Buffer.from(piece, 'latin1').toString()),
    values: ids.length * form.values + found.rest.length,
    end: readPageEnd(rest, distinct),
  }
}
