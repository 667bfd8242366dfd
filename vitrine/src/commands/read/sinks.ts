// Writes the items of an answer in one of the formats. Incomplete output never looks complete.
import { isList, type Route } from '../../catalogue/define.ts'
import { drawPairs, drawTable } from '../../../../base/cli/table.ts'
import { printable } from '../../../../base/core/printable.ts'
import type { Paint } from '../../../../base/cli/terminal.ts'
import { cellOf, columnsFor, columnsForPeople, type Item, itemOf, undocumentedFields } from './columns.ts'
import { csvLine } from '../../csv.ts'
import type { Format, Ids } from './options.ts'
import type { Write } from './standard-output.ts'

export interface Skipped {
  /** the ids of the row */
  readonly at: Ids
  readonly error: { readonly code: string }
}

export interface Sink {
  /** writes page by page; earlier pages stay if a later one fails */
  readonly streams: boolean
  page(items: readonly unknown[]): Promise<void>
  /** with --each: a row whose items could not be read */
  skip(skipped: Skipped): Promise<void>
  /** `body`: of a single answer */
  end(body?: unknown): Promise<void>
  /** ends an incomplete stream */
  fail(last: unknown): Promise<void>
}

export interface SinkOptions {
  readonly route: Route
  readonly fields: string | undefined
  /** with --each: the columns that precede those of the items */
  readonly lead?: readonly string[] | undefined
  readonly write: Write
  /** a message on standard error */
  readonly note: (words: string) => void
  readonly width: number
  readonly paint: Paint
  readonly raw: boolean
  readonly bom: boolean
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`
const nothing = async () => {}

const ndjson = ({ write }: SinkOptions): Sink => ({
  streams: true,
  page: async (items) => (items.length > 0 ? write(items.map(line).join('')) : undefined),
  skip: (skipped) => write(line(skipped)),
  end: nothing,
  fail: (last) => write(line(last)),
})

function csv({ route, fields, lead, write, note, raw, bom }: SinkOptions): Sink {
  const columns = columnsFor(route, fields, lead)
  let isBegun = false
  const unnamed = new Set<string>()
  async function page(values: readonly unknown[]) {
    const items = values.map(itemOf)
    for (const name of undocumentedFields(items, columns)) unnamed.add(name)
    const head = isBegun ? '' : `${bom ? '\ufeff' : ''}${csvLine(columns, { raw: true })}`
    isBegun = true
    const row = (item: Item) => columns.map((name) => item[name])
    await write(head + items.map((item) => csvLine(row(item), { raw })).join(''))
  }
  return {
    streams: true,
    page,
    skip: nothing,
    async end() {
      if (!isBegun) await page([])
      if (unnamed.size > 0)
        note(`Omitted fields that this version does not know: ${[...unnamed].join(', ')}. --output json has them.`)
    },
    fail: nothing,
  }
}

interface Collected {
  readonly items: readonly unknown[]
  readonly skipped: readonly Skipped[]
}

function collectItems(end: (all: Collected, body: unknown) => Promise<void>): Sink {
  const items: unknown[] = []
  const skipped: Skipped[] = []
  return {
    streams: false,
    page: async (page) => {
      for (const item of page) items.push(item)
    },
    skip: async (one) => void skipped.push(one),
    end: (body) => end({ items, skipped }, body),
    fail: nothing,
  }
}

/** a whole list has the form of its last page; with --each it also says what was skipped */
const json = ({ write, lead }: SinkOptions): Sink =>
  collectItems(({ items, skipped }, body) => {
    const whole = { items, nextCursor: null, ...(lead && { skipped }) }
    return write(`${JSON.stringify(body ?? whole, null, 2)}\n`)
  })

function drawItems({ route, fields, lead, width, paint }: SinkOptions, items: readonly Item[]) {
  const names = columnsForPeople(route, items, fields, lead)
  const [only = {}] = items
  if (!isList(route) && !lead) {
    const present = names.filter((name) => name in only || fields !== undefined)
    return drawPairs(
      present.map((name) => [name, cellOf(only[name])] as const),
      width,
      paint,
    )
  }
  const columns = names.map((name, i) => {
    const isId = name === 'id' || lead?.includes(name) === true
    return { name, whole: isId && i === 0, uncut: isId }
  })
  const rows = items.map((item) => names.map((name) => cellOf(item[name])))
  // columns chosen with --fields are cut, not left out
  return drawTable({ columns, rows, width, paint, ...(fields !== undefined && { least: 8 }) })
}

const table = (options: SinkOptions): Sink =>
  collectItems(async ({ items: values, skipped }) => {
    const items = values.map(itemOf)
    // a table in a file must show by itself that it is not whole
    const missing = skipped
      .map(({ at, error }) => `Not read: ${printable(Object.values(at).join(' '))} (${error.code})\n`)
      .join('')
    if (items.length === 0) return options.write(`No items.\n${missing}`)
    const { text, cut, left } = drawItems(options, items)
    await options.write(`${text}\n${missing}`)
    if (left.length > 0)
      options.note(
        `Omitted for lack of width: ${left.join(', ')}. Choose with --fields, or see all with --wide or --output json.`,
      )
    if (cut) options.note('Cells that end in … are cut: see them with --wide or --output json.')
  })

const sinks: Readonly<Record<Format, (options: SinkOptions) => Sink>> = { table, json, ndjson, csv }

export const createSink = (format: Format, options: SinkOptions): Sink => sinks[format](options)
