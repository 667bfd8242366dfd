// Asks a real PostgreSQL what the one inside was asked, and compares each answer. Functions of the same names give the real one the
// clock of the simulation, and what it is told about standbys.
import { Client, DatabaseError, type QueryArrayResult } from 'pg'
import { type Cell, type PostgresValue, textOfCell } from './messages.ts'
import type { Entry } from './rows.ts'
import type { Recorded } from './server.ts'

export interface Difference {
  readonly index: number
  readonly text: string
  readonly inside: string
  readonly real: string
}

const functions = `CREATE SCHEMA IF NOT EXISTS inside;
  CREATE FUNCTION inside.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT timestamptz 'epoch' + current_setting('inside.now')::bigint * interval '1 millisecond' $$;
  CREATE FUNCTION inside.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS
    $$ SELECT current_setting('inside.standby')::boolean $$;`
const state =
  "SELECT set_config('inside.now', $1, false), set_config('inside.standby', $2, false), " +
  "set_config('default_transaction_read_only', $3, false)"

type AskedOne = Recorded & { readonly kind: 'asked' }

/** timeouts of the real one must not end what takes longer here */
const patient = (text: string): string => text.replaceAll(/(_timeout = \d+)/g, '$10')
const given = (values: readonly PostgresValue[]) =>
  values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))

/** rows that are in no order are compared in one */
const orderOf = (text: string, rows: readonly unknown[]): unknown =>
  /ORDER BY/.test(text) ? rows : rows.map((row) => JSON.stringify(row)).toSorted()

/** a text with the names, the cells and the count of each answer */
function describeReal(text: string, results: readonly QueryArrayResult[]): string {
  const each = results.map(({ command, rowCount, fields, rows }) => [
    `${command} ${rowCount ?? ''}`.trim(),
    fields.map(({ name }) => name),
    orderOf(text, rows),
  ])
  return JSON.stringify(each)
}

const cellOf = (cell: Cell): string | null =>
  cell === null ? null : Buffer.from(textOfCell(cell), 'latin1').toString()

function describeInside({ text, answers, error }: AskedOne): string {
  if (error !== undefined) return error
  const each = answers.map(({ tag, columns, rows }) => [
    tag.replace(/^INSERT 0/, 'INSERT'),
    columns.map(({ name }) => name),
    orderOf(
      text,
      rows.map((row) => row.map(cellOf)),
    ),
  ])
  return JSON.stringify(each)
}

/** steps of a schema are several statements in one text, and the version is that of the real one: these are done or refused */
const isCompared = ({ text, answers, error }: AskedOne): boolean =>
  error !== undefined || !(text.startsWith('SHOW') || /^(CREATE|ALTER|DROP)/.test(answers[0]?.tag ?? ''))
const isDone = (answer: string): boolean => answer.startsWith('[')

/** what took too long inside fails here at once */
const failing = ({ text, answers }: AskedOne): string =>
  text.startsWith('BEGIN') && answers.length > 0 ? 'BEGIN; SELECT 1/0' : 'SELECT 1/0'

async function openClient(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    options: '-c search_path=inside,pg_catalog -c statement_timeout=10000',
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function ask(client: Client, text: string, values: readonly PostgresValue[] | undefined): Promise<string> {
  const types = { getTypeParser: () => String }
  try {
    const query = { text: patient(text), rowMode: 'array' as const, types, ...(values && { values: given(values) }) }
    return describeReal(text, [await client.query(query)].flat())
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // until the client knows that its transaction failed
    await client.query('')
    return error.code ?? ''
  }
}

const isFailed = (client: Client): boolean => client.getTransactionStatus() === 'E'

async function tell(client: Client, at: number, { isStandby, isReadOnly }: Pick<AskedOne, 'isStandby' | 'isReadOnly'>) {
  if (!isFailed(client)) await client.query(state, [String(at), String(isStandby), isReadOnly ? 'on' : 'off'])
}

async function apply(client: Client, entry: Entry) {
  await client.query('BEGIN')
  for (const { text, values, at } of entry) {
    await tell(client, at, { isStandby: false, isReadOnly: false })
    await client.query({ text, values: given(values) })
  }
  await client.query('COMMIT')
}

/** `url`: of an empty database */
export async function replayOnPostgres(url: string, recorded: readonly Recorded[]): Promise<Difference[]> {
  const differences: Difference[] = []
  const sessions = new Map<number, Client>()
  const applier = await openClient(url)
  await applier.query(functions)
  async function clientOf(session: number): Promise<Client> {
    const client = sessions.get(session) ?? (await openClient(url))
    sessions.set(session, client)
    return client
  }
  async function compare(one: AskedOne, index: number) {
    const client = await clientOf(one.session)
    await tell(client, one.at, one)
    if (one.error === '57014') return ask(client, failing(one), undefined)
    const [inside, real] = [describeInside(one), await ask(client, one.text, one.values)]
    const isSame = isCompared(one) ? inside === real : isDone(real)
    if (!isSame) differences.push({ index, text: one.text, inside, real })
    return real
  }
  for (const [index, one] of recorded.entries())
    if (one.kind === 'applied') await apply(applier, one.entry)
    else if (one.kind === 'asked') await compare(one, index)
    else if (one.kind === 'emptied') await applier.query(`DROP SCHEMA inside CASCADE; ${functions}`)
    else {
      await sessions.get(one.session)?.query('ROLLBACK')
      await sessions.get(one.session)?.end()
      sessions.delete(one.session)
    }
  for (const client of [applier, ...sessions.values()]) await client.end()
  return differences
}
