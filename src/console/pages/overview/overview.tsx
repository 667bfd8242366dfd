// The first page: the service in a line, and a card for each connection, all of it as it changes.
import { refusal } from '../../live-asked.ts'
import { link } from '../../live.ts'
import { whole } from '../../numbers.ts'
import { AsOf } from '../../parts/as-of.tsx'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/field.tsx'
import { Filter } from '../../parts/filter.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { ids, isWhole, toldAt } from '../../told.ts'
import { Cards } from './cards.tsx'
import { filter, inOrder, only, order, troubled } from './choice.ts'
import { Legend } from './legend.tsx'
import './overview.css'
import { Strip } from './strip.tsx'

function Above() {
  return (
    <div class="above">
      <Filter label="Filter connections" value={filter.value} onInput={(text) => (filter.value = text)} />
      <ChoiceField
        label="Show"
        value={only.value}
        choices={[
          ['all', `All (${whole(ids.value.length)})`],
          ['trouble', `In trouble (${whole(troubled.value)})`],
        ]}
        onChoose={(chosen) => (only.value = chosen === 'trouble' ? 'trouble' : 'all')}
      />
      <ChoiceField
        label="Order"
        value={order.value}
        choices={[
          ['trouble', 'Trouble first'],
          ['name', 'By name'],
        ]}
        onChoose={(chosen) => (order.value = chosen === 'name' ? 'name' : 'trouble')}
      />
    </div>
  )
}

function showAll() {
  filter.value = ''
  only.value = 'all'
}

function Nothing() {
  if (ids.value.length > 0)
    return (
      <Empty title={filter.value === '' ? 'No connection is in trouble.' : 'No connection is like that.'}>
        <Button onClick={showAll}>Show all</Button>
      </Empty>
    )
  if (!isWhole.value) return <Waiting rows={6} what="connections" />
  return (
    <Empty title="There is no connection yet.">
      <p>
        A connection is a signing key of App Store Connect. <Link to="/connections">Add the first one</Link>.
      </p>
    </Empty>
  )
}

export default function Page() {
  const at = toldAt.value
  if (!at && link.value === 'off' && refusal.value)
    return (
      <Failed refusal={refusal.value} what="How things stand cannot be told. It is asked again every ten seconds." />
    )
  return (
    <div class="overview">
      <Strip />
      <Above />
      <div class="overview-age">{at && link.value !== 'live' && <AsOf iso={at} />}</div>
      {inOrder.value.length > 0 ? <Cards /> : <Nothing />}
      <Legend />
    </div>
  )
}
