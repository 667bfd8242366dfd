// The page of the glass: a connection and an operation are chosen, a form is filled in, and what comes is looked at closely.
import { useEffect } from 'preact/hooks'
import { ask } from '../../api.ts'
import type { Connection } from '../../answers.ts'
import { type UsedListing, useListing } from '../../listing.ts'
import { type Loading, useLoad } from '../../load.ts'
import type { Choice } from '../../parts/choices.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { go, place, rename } from '../../router.ts'
import { Bench } from './bench.tsx'
import { type Chosen, deskOf, lastChosen } from './desk.ts'
import type { Form, Forms } from './forms.ts'
import './explorer.css'

const choiceOf = ({ operation, summary, group }: Form): Choice => ({
  ...{ value: operation, label: operation, detail: summary, group },
})

function ConnectionChoice({ chosen, used }: { readonly chosen: Chosen; readonly used: UsedListing<Connection> }) {
  const { items, state, refusal } = used.listing.value
  const known = items.some(({ id }) => id === chosen.connection)
  const isLost = state === 'whole' && chosen.connection !== '' && !known
  // however many there are, each can be found
  useEffect(() => {
    if (state === 'more') used.more()
  }, [state])
  return (
    <Combobox
      label="Connection"
      choices={items.map(({ id, kind }) => ({ value: id, label: id, detail: kind }))}
      value={chosen.connection}
      placeholder={state === 'loading' && items.length === 0 ? 'Loading…' : 'Choose one'}
      note={state === 'loading' ? 'More are on their way…' : undefined}
      fault={isLost ? 'There is no connection of this id any more.' : state === 'failed' ? refusal?.message : undefined}
      onChoose={(connection) => rename({ ...chosen, connection })}
    />
  )
}

function OperationChoice({ chosen, forms }: { readonly chosen: Chosen; readonly forms: readonly Form[] }) {
  const isLost = chosen.operation !== '' && !forms.some(({ operation }) => operation === chosen.operation)
  return (
    <Combobox
      label="Operation"
      choices={forms.map(choiceOf)}
      value={chosen.operation}
      placeholder="Choose one"
      fault={isLost ? 'There is no operation of this name.' : undefined}
      onChoose={(operation) => go('/explorer', { ...chosen, operation })}
    />
  )
}

/** where none is chosen yet: what there is */
function Operations({ chosen, forms }: { readonly chosen: Chosen; readonly forms: readonly Form[] }) {
  return (
    <nav class="explorer-operations" aria-label="Operations">
      {[...Map.groupBy(forms, ({ group }) => group)].map(([group, some]) => (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {some.map(({ operation, summary }) => (
              <li key={operation}>
                <Link to="/explorer" names={{ ...chosen, operation }}>
                  {operation}
                </Link>
                <span class="soft">{summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** the only one needs no choosing */
function chosenFrom({ items, state }: UsedListing<Connection>['listing']['value']): Chosen {
  const { query } = place.value
  const only = state === 'whole' && items.length === 1 ? items[0]?.id : undefined
  const connection = query.get('connection') ?? (lastChosen.peek().connection || only)
  return { connection: connection ?? '', operation: query.get('operation') ?? '' }
}

/** coming back to the page, one finds what one has left; its own link, on the page, leads to the list of operations */
function useLast() {
  useEffect(() => {
    if (place.peek().query.size === 0) rename({ ...lastChosen.peek() })
  }, [])
}

function Loaded({ forms, used }: { readonly forms: readonly Form[]; readonly used: UsedListing<Connection> }) {
  const { items, state, refusal } = used.listing.value
  const chosen = chosenFrom(used.listing.value)
  const form = forms.find(({ operation }) => operation === chosen.operation)
  useEffect(() => {
    lastChosen.value = { connection: chosen.connection, operation: chosen.operation || lastChosen.peek().operation }
  }, [chosen.connection, chosen.operation])
  if (state === 'whole' && items.length === 0)
    return (
      <Empty title="There is no connection to look through yet.">
        <Link to="/connections">Add a connection</Link>
      </Empty>
    )
  return (
    <>
      <div class="explorer-choices">
        <ConnectionChoice chosen={chosen} used={used} />
        <OperationChoice chosen={chosen} forms={forms} />
      </div>
      {state === 'failed' && refusal && items.length === 0 && (
        <Failed what="The connections could not be listed." refusal={refusal} again={used.again} />
      )}
      {form ? (
        <Bench key={form.operation} {...{ form, forms, connection: chosen.connection, desk: deskOf(form.operation) }} />
      ) : (
        <Operations chosen={chosen} forms={forms} />
      )}
    </>
  )
}

export default function Page() {
  const { load, again }: Loading<Forms> = useLoad((signal) => ask<Forms>('/operations', { signal }), [])
  const used = useListing<Connection>('/connections')
  useLast()
  const { value, refusal } = load.value
  if (value) return <Loaded forms={value.items} used={used} />
  return refusal ? <Failed refusal={refusal} again={again} /> : <Waiting rows={6} what="the operations" />
}
