// What a new key can read, when it expires, and how often it may be used.
import type { Connection } from '../../answers.ts'
import { ConnectionChooser } from '../../connection-chooser.tsx'
import { isGroup } from '../../facade-key.ts'
import { groups, groupTexts } from '../../../catalogue/groups.ts'
import type { UsedListing } from '../../../../../base/console/listing.ts'
import { CheckboxGroup, ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { AppChooser } from './app-chooser.tsx'
import { ExpiryField } from './expiry-field.tsx'
import type { KeyForm } from './key-draft.ts'

function RateLimit({ draft, faults, change, field }: KeyForm) {
  const isOwn = draft.rate === 'own'
  return (
    <div class="form">
      <ChoiceField
        label="Rate limit"
        value={draft.rate}
        hint={draft.rate === 'none' ? 'This key can use up the quota of all callers.' : 'Requests per minute.'}
        fault={isOwn ? undefined : faults.perMinute}
        choices={{ service: 'Service default', own: 'Custom', none: 'No limit' }}
        onChoose={(rate) => change({ rate })}
      />
      {isOwn && <TextField label="Requests per minute" kind="number" {...field('perMinute')} />}
    </div>
  )
}

function PersonalData({ draft, faults, change }: KeyForm) {
  return (
    <ChoiceField
      label="Personal data"
      value={draft.personal}
      hint={
        draft.personal === 'yes'
          ? 'Its holder sees e-mail addresses, comments and screenshots of testers, and who did what.'
          : 'What concerns a person is left out of its answers.'
      }
      fault={faults.personal}
      choices={{ no: 'Not shown', yes: 'Shown' }}
      onChoose={(personal) => change({ personal })}
    />
  )
}

export function LimitFields({ form }: { readonly form: KeyForm }) {
  return (
    <>
      <AppChooser form={form} />
      <div class="pair">
        <ExpiryField draft={form.draft} fault={form.faults.expires} onChange={form.change} />
        <RateLimit {...form} />
        <PersonalData {...form} />
        <TextField
          label="Platform calls per hour"
          optional
          kind="number"
          hint="What it may take of the platform's quota. Empty: no budget. Cached answers cost nothing."
          {...form.field('platformCallsPerHour')}
        />
      </div>
    </>
  )
}

interface GrantFieldsProps {
  readonly known: UsedListing<Connection>
  readonly form: KeyForm
}

export function GrantFields({ known, form: { draft, faults, change } }: GrantFieldsProps) {
  const readsAll = draft.sees === 'all'
  const { items, state, refusal } = known.listing.value
  return (
    <>
      <div class="pair">
        <ChoiceField
          label="Connections"
          value={draft.sees}
          fault={readsAll ? faults.connections : undefined}
          choices={{ chosen: 'Selected connections', all: 'All (*), including later ones' }}
          onChoose={(sees) => change({ sees })}
        />
        <ChoiceField
          label="Groups"
          value={draft.may}
          fault={draft.may === 'all' ? faults.groups : undefined}
          choices={{ all: `All ${groups.length} groups of this version`, chosen: 'Selected groups' }}
          onChoose={(may) => change({ may })}
        />
      </div>
      {readsAll ? (
        <p class="caution" role="status">
          This key also reads connections that are added later, including under the ID of a removed one: its holder can
          read every account that Vitrine ever has.
        </p>
      ) : (
        <>
          <ConnectionChooser
            known={items.map(({ id }) => id)}
            chosen={draft.connections}
            fault={faults.connections}
            onChange={(connections) => change({ connections })}
          >
            {state === 'loading' && items.length === 0 ? <Waiting rows={4} what="connections" /> : undefined}
          </ConnectionChooser>
          {refusal && <Failed refusal={refusal} again={known.again} what="Some connections could not be loaded." />}
        </>
      )}
      {draft.may === 'chosen' && (
        <CheckboxGroup
          label="Selected groups"
          choices={groups}
          meanings={groupTexts}
          chosen={draft.groups}
          fault={faults.groups}
          onChange={(chosen) => change({ groups: chosen.filter(isGroup) })}
        />
      )}
    </>
  )
}
