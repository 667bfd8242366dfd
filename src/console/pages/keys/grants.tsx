// What a new key may see: connections and groups.
import type { Connection } from '../../answers.ts'
import { groups, groupWords, isGroup } from '../../groups.ts'
import type { UsedListing } from '../../listing.ts'
import { Checks } from '../../parts/checks.tsx'
import { ChoiceField } from '../../parts/field.tsx'
import { Chooser } from './chooser.tsx'
import type { Filling } from './draft.ts'

interface GrantsProps {
  readonly known: UsedListing<Connection>
  readonly filling: Filling
}

function Everything() {
  return (
    <p class="keys-warned" role="status">
      Connections that are added later are in it too, also under a name that was removed: whoever holds this key sees
      every account that Vitrine will ever have.
    </p>
  )
}

export function Grants({ known, filling: { draft, faults, change } }: GrantsProps) {
  const isWhole = draft.sees === 'all'
  return (
    <>
      <div class="pair">
        <ChoiceField
          label="Connections"
          value={draft.sees}
          fault={isWhole ? faults.connections : undefined}
          choices={[
            ['chosen', 'Chosen ones'],
            ['all', 'All (*), later ones too'],
          ]}
          onChoose={(sees) => change({ sees: sees === 'all' ? 'all' : 'chosen' })}
        />
        <ChoiceField
          label="Groups"
          value={draft.may}
          fault={draft.may === 'all' ? faults.groups : undefined}
          choices={[
            ['all', `All ${groups.length} of this version`],
            ['chosen', 'Chosen ones'],
          ]}
          onChoose={(may) => change({ may: may === 'all' ? 'all' : 'chosen' })}
        />
      </div>
      {isWhole ? (
        <Everything />
      ) : (
        <Chooser
          known={known}
          chosen={draft.connections}
          fault={faults.connections}
          onChange={(connections) => change({ connections })}
        />
      )}
      {draft.may === 'chosen' && (
        <Checks
          label="Which groups"
          choices={groups}
          words={groupWords}
          chosen={draft.groups}
          fault={faults.groups}
          onChange={(chosen) => change({ groups: chosen.filter(isGroup) })}
        />
      )}
    </>
  )
}
