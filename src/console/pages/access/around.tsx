// What stands around the matrix: what narrows it, and what its marks mean.
import { ChoiceField, TextField } from '../../parts/field.tsx'
import { Filter } from '../../parts/filter.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Button } from '../../parts/button.tsx'
import { groups } from '../../groups.ts'
import { Mark } from './cell.tsx'
import { change, view } from './view.ts'

export function Above() {
  const { keys, connections, state, onlyHaving, sees } = view.value
  return (
    <div class="above">
      <Filter label="Search keys" value={keys} onInput={(text) => change({ keys: text })} />
      <div class="access-search">
        <TextField
          label="Connections"
          kind="search"
          placeholder="Search connections"
          value={connections}
          onInput={(text) => change({ connections: text })}
        />
      </div>
      <ChoiceField
        label="Keys"
        value={state}
        choices={[
          ['active', 'Active'],
          ['all', 'All'],
        ]}
        onChoose={(value) => change({ state: value === 'all' ? 'all' : 'active' })}
      />
      <label class="box">
        <input
          type="checkbox"
          checked={onlyHaving}
          onChange={(event) => change({ onlyHaving: event.currentTarget.checked })}
        />
        <span>Only keys that see something here</span>
      </label>
      {sees !== undefined && (
        <Button onClick={() => change({ sees: undefined })}>
          <span class="access-sees">
            May see <Foreign text={sees} />
          </span>
          <span aria-hidden="true">✕</span>
        </Button>
      )}
    </div>
  )
}

export function Legend() {
  return (
    <ul class="access-legend" aria-label="What the marks mean">
      <li>
        <Mark isAll={false} share="all" /> all groups, by name
      </li>
      <li>
        <Mark isAll={false} share={`4/${groups.length}`} /> some groups, by name
      </li>
      <li>
        <Mark isAll share="all" /> <Mark isAll share={`4/${groups.length}`} /> through *: later connections too
      </li>
      <li>
        <span class="access-mark">!</span> names a connection that was removed or has another account now
      </li>
      <li class="soft">Totals are of what is in sight.</li>
    </ul>
  )
}
