// Selects the apps of a key by name. Their ids stay in a text field, which works without any list.
import { useSignal } from '@preact/signals'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { TextField } from '../../../../../base/console/parts/field.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import { Choices, ChoiceSearch } from '../../chooser-choices.tsx'
import { AppChips } from './app-chips.tsx'
import { type NamedApp, useApps } from './apps.ts'
import { appsIn, type KeyForm } from './key-draft.ts'

/** each connection costs a platform call for every 200 apps */
const mostConnections = 10

interface FoundProps {
  readonly apps: readonly NamedApp[]
  readonly several: boolean
  readonly chosen: readonly string[]
  readonly onToggle: (id: string) => void
}

function FoundApps({ apps, several, chosen, onToggle }: FoundProps) {
  const text = useSignal('')
  const isFound = wordMatcher(text.value)
  const found = apps.filter(({ id, name, connection }) => isFound(lowerCase(`${name}\n${id}\n${connection}`)))
  return (
    <>
      <ChoiceSearch what="apps" count={apps.length} value={text.value} onInput={(typed) => (text.value = typed)} />
      <Choices
        what="apps"
        found={found.map(({ id, name, connection }) => ({
          key: `${connection} ${id}`,
          name: several ? `${name} · ${connection}` : name,
          title: several ? `${id}, ${connection}` : id,
          chosen: chosen.includes(id),
          toggle: () => onToggle(id),
        }))}
      />
    </>
  )
}

/** why there is no list; undefined: there may be one */
function withoutList({ sees, connections }: KeyForm['draft']): string | undefined {
  if (sees === 'all') return 'To select apps by name, select connections.'
  if (connections.length === 0) return 'Select a connection first.'
  return connections.length > mostConnections
    ? `Apps can be selected by name for up to ${mostConnections} connections.`
    : undefined
}

export function AppChooser({ form }: { readonly form: KeyForm }) {
  const { draft, change, field } = form
  const isOpen = useSignal(false)
  const why = withoutList(draft)
  const wanted = isOpen.value && why === undefined
  const { apps, refusals, busy, again } = useApps(wanted ? draft.connections : undefined)
  const chosen = appsIn(draft.apps)
  const toggle = (id: string) =>
    change({ apps: (chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]).join(', ') })
  return (
    <fieldset class="chooser">
      <legend class="unseen">Apps of the key</legend>
      <TextField
        label="Apps"
        optional
        hint="Ids, separated by commas. Empty: all apps. Everything else answers as if it were not there."
        {...field('apps')}
      />
      {chosen.length > 0 && <AppChips ids={chosen} apps={apps} onRemove={toggle} />}
      <div class="actions">
        <Button kind="quiet" off={why !== undefined} onClick={() => (isOpen.value = !isOpen.value)}>
          {wanted ? 'Hide the list' : 'Select by name'}
        </Button>
        {why !== undefined && <span class="soft">{why}</span>}
      </div>
      {wanted && busy && <Waiting rows={4} what="apps" />}
      {wanted && !busy && apps.length > 0 && (
        <FoundApps apps={apps} several={draft.connections.length > 1} chosen={chosen} onToggle={toggle} />
      )}
      {wanted && !busy && apps.length === 0 && refusals.length === 0 && <p class="soft">There are no apps.</p>}
      {wanted &&
        !busy &&
        refusals.map(({ id, refusal }) => (
          <Failed
            key={id}
            refusal={refusal}
            again={again}
            what={`The apps of ${id} could not be listed: enter their ids.`}
          />
        ))}
    </fieldset>
  )
}
