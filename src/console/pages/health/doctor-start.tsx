// Whom the doctor is to look at, and what that costs.
import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { finderOf, small } from '../../finding.ts'
import { groups } from '../../groups.ts'
import { counted, whole } from '../../numbers.ts'
import { Button } from '../../parts/button.tsx'
import { Checks } from '../../parts/checks.tsx'
import { ChoiceField } from '../../parts/field.tsx'
import { Filter } from '../../parts/filter.tsx'
import { ids, isWhole } from '../../told.ts'

interface StartProps {
  readonly busy: boolean
  /** undefined: all connections */
  readonly start: (connections: readonly string[] | undefined) => void
}

/** one for each group of routes but `status`, which is told without the platform; and one more for all connections */
const callsEach = groups.length - 1
/** so many are shown to choose from */
const most = 30

interface PickProps {
  readonly chosen: Signal<readonly string[]>
  readonly fault: string | undefined
}

function Pick({ chosen, fault }: PickProps) {
  const filter = useSignal('')
  const isFound = finderOf(filter.value)
  const found = ids.value.filter((id) => isFound(small(id)))
  const shown = found.slice(0, most)
  const change = (now: readonly string[]) =>
    void (chosen.value = [...chosen.value.filter((id) => !shown.includes(id)), ...now])
  const rest = found.length - shown.length
  const elsewhere = chosen.value.filter((id) => !shown.includes(id)).length
  const hints = [
    rest > 0 && `${whole(rest)} more: type to narrow.`,
    elsewhere > 0 && `${counted(elsewhere, 'chosen one is', 'chosen ones are')} not in sight.`,
  ]
  return (
    <div class="health-pick">
      <Filter label="Filter connections" value={filter.value} onInput={(text) => (filter.value = text)} />
      <Checks
        {...{ label: 'Connections', choices: shown, chosen: chosen.value, fault, onChange: change }}
        hint={hints.filter(Boolean).join(' ')}
      />
    </div>
  )
}

export function Start({ busy, start }: StartProps) {
  const whom = useSignal<'all' | 'chosen'>('all')
  const chosen = useSignal<readonly string[]>([])
  const fault = useSignal<string | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const isAll = whom.value === 'all'
  const number = isAll ? ids.value.length : chosen.value.length
  const submit = (event: Event) => {
    event.preventDefault()
    fault.value = !isAll && number === 0 ? 'Choose a connection.' : undefined
    if (fault.value) form.current?.querySelector<HTMLElement>('.health-pick input')?.focus()
    else if (!busy) start(isAll ? undefined : chosen.value)
  }
  return (
    <form ref={form} class="form" onSubmit={submit}>
      <div class="above health-start">
        <ChoiceField
          label="Look at"
          value={whom.value}
          choices={[
            ['all', isWhole.value ? `All connections (${whole(ids.value.length)})` : 'All connections'],
            ['chosen', 'Chosen connections'],
          ]}
          onChoose={(value) => (whom.value = value === 'chosen' ? 'chosen' : 'all')}
        />
        <Button kind="main" type="submit" busy={busy}>
          Start the doctor
        </Button>
      </div>
      {!isAll && <Pick chosen={chosen} fault={fault.value} />}
      <p class="hint">
        It asks the platform: about {callsEach} calls of each connection's quota
        {number > 0 && `, so about ${whole(number * callsEach + 1)} calls for ${counted(number, 'connection')}`}. It
        changes nothing.
      </p>
    </form>
  )
}
