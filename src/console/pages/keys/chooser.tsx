// Chooses connections out of many: a search, the first of those that it finds, and all of them at one press.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Connection } from '../../answers.ts'
import { finderOf, small } from '../../finding.ts'
import type { UsedListing } from '../../listing.ts'
import { Button } from '../../parts/button.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'

interface ChooserProps {
  readonly known: UsedListing<Connection>
  readonly chosen: readonly string[]
  readonly fault: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
}

/** more than anybody reads: for the others there is the search */
const mostDrawn = 100

interface FoundProps {
  readonly found: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly toggle: (id: string) => void
}

function Found({ found, chosen, toggle }: FoundProps) {
  return (
    <div class="keys-choices" tabIndex={-1}>
      {found.length === 0 && <p class="soft">There is no such connection.</p>}
      {found.slice(0, mostDrawn).map((id) => (
        <label key={id} class="box" title={id}>
          <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          <span>
            <Foreign text={id} />
          </span>
        </label>
      ))}
      {found.length > mostDrawn && (
        <p class="soft">
          These are the first {mostDrawn} of {found.length}. Search for the others.
        </p>
      )}
    </div>
  )
}

interface BulkProps {
  readonly found: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onlyChosen: boolean
  readonly showChosen: (only: boolean) => void
  readonly onChange: (chosen: readonly string[]) => void
}

function Bulk({ found, chosen, onlyChosen, showChosen, onChange }: BulkProps) {
  return (
    <div class="actions">
      <label class="box">
        <input type="checkbox" checked={onlyChosen} onChange={() => showChosen(!onlyChosen)} />
        <span>Only those chosen: {chosen.size}</span>
      </label>
      <span>
        <Button kind="quiet" onClick={() => onChange([...new Set([...chosen, ...found])])}>
          Choose all {found.length}
        </Button>
        <Button kind="quiet" off={chosen.size === 0} onClick={() => onChange([])}>
          Choose none
        </Button>
      </span>
    </div>
  )
}

export function Chooser({ known, chosen, fault, onChange }: ChooserProps) {
  const id = useId()
  const text = useSignal('')
  const onlyChosen = useSignal(false)
  const { items, state, refusal } = known.listing.value
  const set = new Set(chosen)
  const isFound = finderOf(text.value)
  // also those that have been removed since they were chosen
  const ids = [...new Set([...items.map((one) => one.id), ...chosen])]
  const found = ids.filter((one) => isFound(small(one)) && (!onlyChosen.value || set.has(one)))
  const toggle = (one: string) => onChange(set.has(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
  return (
    <fieldset class="keys-chooser" aria-describedby={`${id}-said`} data-faulty={Boolean(fault)}>
      <legend>Which connections</legend>
      <input
        type="search"
        aria-label="Search connections"
        placeholder={`Search ${items.length} connections`}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        // here it would send the form
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {state === 'loading' && items.length === 0 ? (
        <Waiting rows={4} what="connections" />
      ) : (
        <Found found={found} chosen={set} toggle={toggle} />
      )}
      <Bulk
        {...{ found, chosen: set, onChange, onlyChosen: onlyChosen.value }}
        showChosen={(only) => (onlyChosen.value = only)}
      />
      {refusal && <Failed refusal={refusal} again={known.again} what="Not all connections could be read." />}
      <p id={`${id}-said`} class="fault" aria-live="polite">
        {fault}
      </p>
    </fieldset>
  )
}
