// The form of a page's items: the same attributes in the same order, and links that differ in the id. It is learned from the first
// item, and becomes an expression that finds every item that has it.
import { platformWords, type Slot } from './flatten.ts'
import { linksAlone, noRelationships, ownLinks } from './links-alone.ts'

// values that are written as they came: numbers keep their spelling anyway, and longer ones would count as several values
const characters = '[ !#-\\[\\]-\\xff]*'
const string = `"${characters}(?:\\\\["\\\\bfnrt]${characters})*"`
const integer = '-?(?:0|[1-9]\\d{0,13})'
const number = `(?:-?(?:0|[1-9]\\d{0,6})\\.\\d{1,6}|${integer})`
const valueForms: Partial<Record<Slot['kind'], string>> = { string, integer, number, boolean: 'true|false' }
const anyValue = `(?:${string}|true|false|null|${number})`
const isTranslated = `"(?:${platformWords.join('|')})"`

const id = '[\\w.~=-]+'
const plainId = new RegExp(`^${id}$`)
/** an id whose text means the same in JSON and in a replacement */
export const isPlainId = (text: string): boolean => plainId.test(text)
const member = `"\\w+":${anyValue}`
const firstItem = new RegExp(
  `\\{"type":"\\w+","id":"(${id})","attributes":\\{(${member}(?:,${member})*)\\}(${linksAlone}|(?:${noRelationships})?(?:${ownLinks})?)\\}`,
  'y',
)
const names = /"(\w+)":(?:"(?:[^"\\]|\\.)*"|[^,]+)/g
const longestItem = 16 * 1024
/** V8 fails to compile an expression with thousands of parts, and takes long for one with hundreds */
const most = { characters: 4 * 1024, parts: 100 }
/** `$99` is the last reference that a replacement can hold */
const mostNames = 96

/** by the platform's name; null: it is not shown */
type Attributes = ReadonlyMap<string, Slot | null>

interface ItemExpression {
  readonly expression: RegExp
  /** that one item holds at most */
  readonly values: number
}

const mostExpressions = 128
const expressions = new Map<string, ItemExpression>()

export interface ItemForm extends ItemExpression {
  /** the platform's, of the attributes that are shown */
  readonly names: readonly string[]
}

/** what an attribute's value may be; undefined: it cannot be taken as text */
function valueFormOf(slot: Slot | null | undefined): string | undefined {
  if (slot === null) return anyValue
  const form = slot && valueForms[slot.kind]
  return form && `${slot.isTranslated ? `(?!${isTranslated})` : ''}(${form}|null)`
}

function expressionOf(type: string, members: readonly string[], links: readonly string[]): ItemExpression {
  const others = links.map((part) => RegExp.escape(part)).join('/\\1')
  const item = `\\{"type":"${type}","id":"(${id})","attributes":\\{${members.join(',')}\\}${others}\\}`
  const values = 4 + members.length + links.join('').split(/[,{]/).length
  // after the last item comes the end of the list instead of a comma
  return { expression: new RegExp(`${item}(?:(,)|\\]$)`, 'gy'), values }
}

/** of the first item; undefined: it is too large, or an attribute is unknown, comes twice or is no single value */
export function formOf(list: string, type: string, attributes: Attributes): ItemForm | undefined {
  firstItem.lastIndex = 0
  const [, own, written = '', links = ''] = firstItem.exec(list.slice(0, longestItem)) ?? []
  if (own === undefined || links.length > most.characters) return undefined
  const around = links.split(`/${own}`)
  const found = [...written.matchAll(names)].map(([, name = '']) => name)
  const isTwice = new Set(found).size < found.length
  if (around.length > most.parts || found.length > mostNames || isTwice) return undefined
  const members: string[] = []
  for (const name of found) {
    const form = valueFormOf(attributes.get(name))
    if (form === undefined) return undefined
    members.push(`"${name}":${form}`)
  }
  // no line break is in any of these
  const key = [type, ...members, '', ...around].join('\n')
  const made = expressions.get(key) ?? expressionOf(type, members, around)
  if (expressions.size >= mostExpressions) expressions.clear()
  expressions.set(key, made)
  return { ...made, names: found.filter((name) => attributes.get(name)) }
}
