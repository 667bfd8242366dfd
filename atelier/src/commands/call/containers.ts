// `atelier containers list` and `remove`.
import { printJson, printLine } from '../../../../base/cli/output.ts'
import { drawTable } from '../../../../base/cli/table.ts'
import { columnsOf, paintFor } from '../../../../base/cli/terminal.ts'
import type { Container, ListContainersParams } from '../../../client/atelier.ts'
import { UsageError } from './exits.ts'
import { findContainer } from './find.ts'
import { type CallOptions, type Context, perform } from './perform.ts'
import { writeTo } from './signals.ts'

interface ListOptions extends CallOptions {
  readonly status?: string
  readonly label?: readonly string[]
}

const columns = [
  { name: 'ID', whole: true },
  ...['NAME', 'STATUS', 'IMAGE', 'CREATED', 'EXPIRES'].map((name) => ({ name })),
]

function tableOf(containers: readonly Container[]): string {
  if (containers.length === 0) return 'There are no containers.\n'
  const rows = containers.map(({ id, name, status, statusReason, image, createdAt, expiresAt }) => [
    id,
    name,
    statusReason === null ? status : `${status} (${statusReason})`,
    image.name,
    createdAt,
    expiresAt,
  ])
  return `${drawTable({ columns, rows, width: columnsOf(process.stdout), paint: paintFor(process.stdout) }).text}\n`
}

async function listAll({ status, label, output }: ListOptions, { atelier, signals }: Context): Promise<number> {
  const wish = { status: status?.split(','), label, limit: 200 } as ListContainersParams
  const found: Container[] = []
  for await (const one of atelier.listContainers(wish)) found.push(one)
  if (output === 'json' || (output === undefined && !process.stdout.isTTY)) printJson(found)
  else await writeTo(process.stdout, tableOf(found), signals.signal)
  return 0
}

export const listContainers = (options: ListOptions): Promise<never> =>
  perform(options, (context) => listAll(options, context))

interface RemoveOptions extends CallOptions {
  readonly grace?: string
}

export function removeContainers(
  words: readonly string[],
  { grace = '2s', ...options }: RemoveOptions,
): Promise<never> {
  return perform(options, async ({ atelier, isJson }) => {
    const graceSeconds = Number(/^(\d{1,2})s?$/.exec(grace)?.[1] ?? Number.NaN)
    if (!(graceSeconds <= 30)) throw new UsageError('--grace must be seconds such as 5s, up to 30s.')
    for (const word of words) {
      const answer = await atelier.deleteContainer({ id: await findContainer(atelier, word), graceSeconds })
      if (isJson) await printLine(JSON.stringify(answer))
      else await printLine(answer.id)
    }
    return 0
  })
}
