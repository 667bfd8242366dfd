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

/** `list` ends with its bracket, which is left if an item has another form */
function flattenBy(form: ItemForm, list: string, expected: Expected): string | undefined {
  const replacement = replacementOf(form, expected)
  const items = replacement === undefined ? list : list.replace(form.expression, replacement)
  return items.endsWith(']') ? undefined : items
}

/** the latest form of each kind of resource: most pages have it */
const latest = new WeakMap<Outline['attributes'], ItemForm>()

function flattenAll(list: string, expected: Expected): { readonly items: string; readonly form: ItemForm } | undefined {
  const { attributes, type } = expected
  const known = latest.get(attributes)
  const flattened = known && flattenBy(known, list, expected)
  if (known && flattened !== undefined) return { items: flattened, form: known }
  const form = formOf(list, type, attributes)
  if (!form || form.expression === known?.expression) return undefined
  const items = flattenBy(form, list, expected)
  if (items === undefined) return undefined
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

/** of a route whose answers are pages of resources; undefined: the document has to be parsed */
export function readPage(
  { latin1, isAscii }: PlainText,
  parse: (latin1: string) => unknown,
  { returns, type }: Route,
  { limit = pageSize.standard, ...selection }: Expectation,
): TextPage | undefined {
  const endAt = latin1.lastIndexOf(after)
  if (latin1.length < shortest || endAt < 0 || !latin1.startsWith(before)) return undefined
  const outline = returns && outlineOf(returns, selection)
  const flattened = outline && flattenAll(latin1.slice(before.length, endAt + 1), { ...outline, type })
  if (!flattened) return undefined
  const { items, form } = flattened
  const rest = parse(`{${latin1.slice(endAt + 2)}`)
  if (!isJsonObject(rest) || 'data' in rest || 'errors' in rest) return undefined
  const ids = idsIn(items)
  const distinct = new Set(ids).size
  if (distinct < ids.length || ids.length > limit) return undefined
  return {
    items: isAscii ? items : Buffer.from(items, 'latin1').toString(),
    values: ids.length * form.values + latin1.length - endAt,
    end: readPageEnd(rest, distinct),
  }
}
