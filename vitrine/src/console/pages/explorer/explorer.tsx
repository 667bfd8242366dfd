// The explorer: a connection and an operation are chosen, a form is filled in, and the response is shown in detail.
import { useEffect } from 'preact/hooks'
import type { Connection } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { type UsedListing, useListing } from '../../../../../base/console/listing.ts'
import { useLoad } from '../../../../../base/console/load.ts'
import { Combobox } from '../../../../../base/console/parts/combobox.tsx'
import { Copy, Link } from '../../../../../base/console/parts/controls.tsx'
import { Empty, Failed, Loaded } from '../../../../../base/console/parts/states.tsx'
import { Prose } from '../../../../../base/console/parts/display.tsx'
import { go, replaceQuery, route } from '../../../../../base/console/router.ts'
import './explorer.css'
import type { Form, Forms } from './operation-form.ts'
import { PlanBox } from './plan.tsx'
import { linkTo, useRequestLink } from './request-link.ts'
import { RequestForm } from './request-form.tsx'
import { Response } from './response.tsx'
import { Samples } from './samples.tsx'
import { type Chosen, type ExplorerRequest, lastChosen, workbenchOf } from './workbench-state.ts'

function ConnectionChoice({ chosen, used }: { readonly chosen: Chosen; readonly used: UsedListing<Connection> }) {
  const { items, state, refusal } = used.listing.value
  const isKnown = items.some(({ id }) => id === chosen.connection)
  const isGone = state === 'whole' && chosen.connection !== '' && !isKnown
  // all of them, so that each can be found
  useEffect(() => {
    if (state === 'more') used.more()
  }, [state])
  return (
    <Combobox
      label="Connection"
      choices={items.map(({ id, kind }) => ({ value: id, label: id, detail: kind }))}
      value={chosen.connection}
      placeholder={state === 'loading' && items.length === 0 ? 'Loading…' : 'Choose one'}
      note={state === 'loading' ? 'Loading more…' : undefined}
      fault={isGone ? 'This connection no longer exists.' : state === 'failed' ? refusal?.message : undefined}
      onChoose={(connection) => replaceQuery({ ...chosen, connection })}
    />
  )
}

function OperationChoice({ chosen, forms }: { readonly chosen: Chosen; readonly forms: readonly Form[] }) {
  const isUnknown = chosen.operation !== '' && !forms.some(({ operation }) => operation === chosen.operation)
  return (
    <Combobox
      label="Operation"
      choices={forms.map(({ operation, summary, group }) => ({
        value: operation,
        label: operation,
        detail: summary,
        group,
      }))}
      value={chosen.operation}
      placeholder="Choose one"
      fault={isUnknown ? 'No operation has this name.' : undefined}
      onChoose={(operation) => go('/explorer', { ...chosen, operation })}
    />
  )
}

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

interface WorkbenchProps {
  readonly request: ExplorerRequest
  /** all of them: an id may come from the list of another */
  readonly forms: readonly Form[]
}

function Workbench({ request, forms }: WorkbenchProps) {
  const { summary, description, path } = request.form
  return (
    <>
      <div class="explorer-about">
        <p>
          <strong>{summary}.</strong> {description && <Prose text={`${description} `} />}
          <code>GET …{path}</code>
        </p>
        <Copy text={() => linkTo(request)} label="Copy link" />
      </div>
      <div class="explorer-workbench">
        <RequestForm forms={forms} request={request} />
        <div class="explorer-side">
          <PlanBox request={request} />
          <Response request={request} />
          <Samples request={request} />
        </div>
      </div>
    </>
  )
}

/** a single connection needs no choice */
function chosenFrom({ items, state }: UsedListing<Connection>['listing']['value']): Chosen {
  const { query } = route.value
  const only = state === 'whole' && items.length === 1 ? items[0]?.id : undefined
  const connection = query.get('connection') ?? (lastChosen.peek().connection || only)
  return { connection: connection ?? '', operation: query.get('operation') ?? '' }
}

function Content({ forms, used }: { readonly forms: readonly Form[]; readonly used: UsedListing<Connection> }) {
  const { items, state, refusal } = used.listing.value
  const chosen = chosenFrom(used.listing.value)
  const { connection, operation } = chosen
  const form = forms.find((one) => one.operation === operation)
  useRequestLink(forms)
  useEffect(() => {
    lastChosen.value = { connection, operation: operation || lastChosen.peek().operation }
  }, [connection, operation])
  if (state === 'whole' && items.length === 0)
    return (
      <Empty title="No connections yet.">
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
        <Failed what="The connections could not be loaded." refusal={refusal} again={used.again} />
      )}
      {form ? (
        <Workbench key={operation} request={{ form, connection, workbench: workbenchOf(operation) }} forms={forms} />
      ) : (
        <Operations chosen={chosen} forms={forms} />
      )}
    </>
  )
}

export default function Explorer() {
  const { load, again } = useLoad((signal) => ask<Forms>('/operations', { signal }), [])
  const used = useListing<Connection>('/connections')
  // a return to the page shows what was left; its own link, on the page, leads to the list of operations
  useEffect(() => {
    if (route.peek().query.size === 0) replaceQuery({ ...lastChosen.peek() })
  }, [])
  return (
    <Loaded state={load.value} again={again} what="the operations" rows={6}>
      {({ items }) => <Content forms={items} used={used} />}
    </Loaded>
  )
}
