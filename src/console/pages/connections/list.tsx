// The listing of connections: narrowed, sorted, and how much of it is here.
import { useComputed, useSignal } from '@preact/signals'
import type { Connection } from '../../answers.ts'
import type { UsedListing } from '../../listing.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/field.tsx'
import { Filter } from '../../parts/filter.tsx'
import { HowMuch } from '../../parts/how-much.tsx'
import { Empty, Waiting } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { columns, type Kind, kinds, matching } from './columns.tsx'
import { openForm } from './draft.ts'
import { open } from './place.ts'

interface ListProps {
  readonly used: UsedListing<Connection>
  readonly chosen: string | undefined
}

export function List({ used, chosen }: ListProps) {
  const { listing } = used
  const text = useSignal('')
  const kind = useSignal<Kind>('')
  const shown = useComputed(() => matching(listing.value.items, text.value, kind.value))
  const { items, state } = listing.value
  return (
    <div>
      <div class="above">
        <Filter
          label="Filter by id, key id or issuer"
          value={text.value}
          onInput={(typed) => void (text.value = typed)}
        />
        <ChoiceField
          label="Kind"
          value={kind.value}
          choices={kinds}
          onChoose={(chosen) => void (kind.value = chosen as Kind)}
        />
        <div class="end">
          <Button kind="main" onClick={() => openForm({ what: 'add' })}>
            Add connection
          </Button>
        </div>
      </div>
      {items.length === 0 && state === 'loading' && <Waiting what="connections" rows={8} />}
      {items.length === 0 && state === 'whole' && (
        <Empty title="No connection yet.">
          <p>
            A connection is a store account under a name of yours. Add one with its key, or put it into the settings.
          </p>
        </Empty>
      )}
      {items.length > 0 && shown.value.length === 0 && (
        <Empty title="None fits.">
          <p>Shorten the filter, or take another kind.</p>
        </Empty>
      )}
      {shown.value.length > 0 && (
        <Table
          label="Connections"
          columns={columns}
          items={shown.value}
          idOf={({ id }) => id}
          onOpen={open}
          isChosen={({ id }) => id === chosen}
        />
      )}
      <HowMuch used={used} shown={shown.value.length} names={['connection', 'connections']} />
    </div>
  )
}
