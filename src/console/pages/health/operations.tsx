// What is asked most.
import type { Health } from '../../answers.ts'
import { duration, share, whole } from '../../numbers.ts'
import type { Column } from '../../parts/column.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'

type AskedOperation = Health['operations'][number]

const columns: readonly Column<AskedOperation>[] = [
  {
    ...{ name: 'Operation', width: 'minmax(9rem, 2fr)' },
    cell: ({ operation }) => (
      <span class="mono">
        <Foreign text={operation} />
      </span>
    ),
    sortBy: ({ operation }) => operation,
  },
  {
    ...{ name: 'Requests', width: 'minmax(5.5rem, 1fr)' },
    cell: ({ requests }) => <span class="number">{whole(requests)}</span>,
    sortBy: ({ requests }) => requests,
  },
  {
    ...{ name: 'Errors', width: 'minmax(5.5rem, 1fr)' },
    cell: ({ errors, requests }) =>
      errors === 0 ? (
        <span class="soft number">0</span>
      ) : (
        <span class="fault number">
          {whole(errors)} ({share(errors, requests)})
        </span>
      ),
    sortBy: ({ errors }) => errors,
  },
  {
    ...{ name: '95 % within', width: 'minmax(5.5rem, 1fr)' },
    cell: ({ p95 }) => <span class="number">{p95 === null ? '–' : duration(p95)}</span>,
    sortBy: ({ p95 }) => p95 ?? -1,
  },
]

export function Operations({ operations }: { readonly operations: readonly AskedOperation[] }) {
  return (
    <section>
      <h2>Most asked in the last hour</h2>
      {operations.length === 0 ? (
        <Empty title="Nothing was asked in the last hour." />
      ) : (
        <Table label="Most asked operations" columns={columns} items={operations} idOf={({ operation }) => operation} />
      )}
    </section>
  )
}
