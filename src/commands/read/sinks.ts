// Where the items of an answer go, by format: rows that leave at once, or all at the end. What breaks off never looks whole.
import { isList, type Route } from '../../catalogue/define.ts'
import { drawPairs, drawTable } from '../table.ts'
import type { Paint } from '../terminal.ts'
import { cellOf, columnsFor, columnsForPeople, type Item, itemOf, strangers } from './columns.ts'
import { csvLine } from './csv.ts'
import type { Format } from './options.ts'
import type { Write } from './standard-output.ts'

export interface Sink {
  /** rows leave page by page, and stay when a later page fails */
  readonly streams: boolean
  page(items: readonly unknown[]): Promise<void>
  /** `body`: of a single answer, as it came */
  end(body?: unknown): Promise<void>
  /** the last word of a stream that broke off */
  fail(last: unknown): Promise<void>
}

export interface SinkOptions {
  readonly route: Route
  /** as the caller chose them */
  readonly fields: string | undefined
  readonly write: Write
  /** a word to the person, on standard error */
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
    for (const name of strangers(items, columns)) unnamed.add(name)
    const head = isBegun ? '' : `${bom ? '\ufeff' : ''}${csvLine(columns, { raw: true })}`
    isBegun = true
    await write(
      head +
        items
          .map((item) =>
            csvLine(
              columns.map((name) => item[name]),
              { raw },
            ),
          )
          .join(''),
    )
  }
  return {
    streams: true,
    page,
    async end() {
      if (!isBegun) await page([])
      if (unnamed.size > 0)
        note(`Left out, as this program does not know them: ${[...unnamed].join(', ')}. --output json has them.`)
    },
    fail: nothing,
  }
}

/** all items, then `end` */
function collecting(end: (items: readonly unknown[], body: unknown) => Promise<void>): Sink {
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

/** the service's own body; a whole walk has the form of one page that is the last */
const json = ({ write }: SinkOptions): Sink =>
  collecting((items, body) => write(`${JSON.stringify(body ?? { items, nextCursor: null }, null, 2)}\n`))

function drawn({ route, fields, width, paint }: SinkOptions, items: readonly Item[]) {
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
  // what was chosen by name is rather cut than left out
  return drawTable({ columns, rows, width, paint, ...(fields !== undefined && { least: 8 }) })
}

const table = (options: SinkOptions): Sink =>
  collecting(async (values) => {
    const items = values.map(itemOf)
    if (items.length === 0) return options.write('There are none.\n')
    const { text, cut, left } = drawn(options, items)
    await options.write(`${text}\n`)
    if (left.length > 0)
      options.note(`No room for: ${left.join(', ')}. Choose with --fields, or see all with --wide or --output json.`)
    if (cut) options.note('What ends in … is cut: --wide or --output json shows it whole.')
  })

const sinks: Readonly<Record<Format, (options: SinkOptions) => Sink>> = { table, json, ndjson, csv }

export const createSink = (format: Format, options: SinkOptions): Sink => sinks[format](options)
