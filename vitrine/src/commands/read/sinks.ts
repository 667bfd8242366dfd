// Writes the items of an answer in one of the formats. Incomplete output never looks complete.
import { isList, type Route } from '../../catalogue/define.ts'
import { drawPairs, drawTable } from '../../../../base/cli/table.ts'
import type { Paint } from '../../../../base/cli/terminal.ts'
import { cellOf, columnsFor, columnsForPeople, type Item, itemOf, undocumentedFields } from './columns.ts'
import { csvLine } from './csv.ts'
import type { Format } from './options.ts'
import type { Write } from './standard-output.ts'

export interface Sink {
  /** writes page by page; earlier pages stay if a later one fails */
  readonly streams: boolean
  page(items: readonly unknown[]): Promise<void>
  /** `body`: of a single answer */
  end(body?: unknown): Promise<void>
  /** ends an incomplete stream */
  fail(last: unknown): Promise<void>
}

export interface SinkOptions {
  readonly route: Route
  readonly fields: string | undefined
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
  end: nothing,
  fail: (last) => write(line(last)),
})

function csv({ route, fields, write, note, raw, bom }: SinkOptions): Sink {
  const columns = columnsFor(route, fields)
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
    async end() {
      if (!isBegun) await page([])
      if (unnamed.size > 0)
        note(`Omitted fields that this version does not know: ${[...unnamed].join(', ')}. --output json has them.`)
    },
    fail: nothing,
  }
}

function collectItems(end: (items: readonly unknown[], body: unknown) => Promise<void>): Sink {
  const all: unknown[] = []
  return {
    streams: false,
    page: async (items) => {
      for (const item of items) all.push(item)
    },
    end: (body) => end(all, body),
    fail: nothing,
  }
}

/** a whole list has the form of its last page */
const json = ({ write }: SinkOptions): Sink =>
  collectItems((items, body) => write(`${JSON.stringify(body ?? { items, nextCursor: null }, null, 2)}\n`))

function drawItems({ route, fields, width, paint }: SinkOptions, items: readonly Item[]) {
  const names = columnsForPeople(route, items, fields)
  const [only = {}] = items
  if (!isList(route)) {
    const present = names.filter((name) => name in only || fields !== undefined)
    return drawPairs(
      present.map((name) => [name, cellOf(only[name])] as const),
      width,
      paint,
    )
  }
  const columns = names.map((name) => ({ name, whole: name === 'id' }))
  const rows = items.map((item) => names.map((name) => cellOf(item[name])))
  // columns chosen with --fields are cut, not left out
  return drawTable({ columns, rows, width, paint, ...(fields !== undefined && { least: 8 }) })
}

const table = (options: SinkOptions): Sink =>
  collectItems(async (values) => {
    const items = values.map(itemOf)
    if (items.length === 0) return options.write('No items.\n')
    const { text, cut, left } = drawItems(options, items)
    await options.write(`${text}\n`)
    if (left.length > 0)
      options.note(
        `Omitted for lack of width: ${left.join(', ')}. Choose with --fields, or see all with --wide or --output json.`,
      )
    if (cut) options.note('Cells that end in … are cut: see them with --wide or --output json.')
  })

const sinks: Readonly<Record<Format, (options: SinkOptions) => Sink>> = { table, json, ndjson, csv }

export const createSink = (format: Format, options: SinkOptions): Sink => sinks[format](options)
