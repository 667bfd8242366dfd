// The choices of a chooser that a search has found: the first of them, and how many more there are.
import { Checkbox } from '../../../base/console/parts/field.tsx'
import { Search } from '../../../base/console/parts/search.tsx'
import { UntrustedText } from '../../../base/console/parts/display.tsx'

/** the others are found by searching */
const mostDrawn = 100

export interface Choice {
  readonly key: string
  readonly name: string
  /** what the pointer shows */
  readonly title: string
  readonly chosen: boolean
  readonly toggle: () => void
}

interface ChoicesProps {
  /** such as "apps" */
  readonly what: string
  readonly found: readonly Choice[]
}

export function Choices({ what, found }: ChoicesProps) {
  return (
    <div class="chooser-choices" tabIndex={-1}>
      {found.length === 0 && <p class="soft">No matching {what}.</p>}
      {found.slice(0, mostDrawn).map(({ key, name, title, chosen, toggle }) => (
        <Checkbox key={key} title={title} label={<UntrustedText text={name} />} checked={chosen} onChange={toggle} />
      ))}
      {found.length > mostDrawn && (
        <p class="soft">
          Showing the first {mostDrawn} of {found.length}. Search to find the others.
        </p>
      )}
    </div>
  )
}

interface ChoiceSearchProps {
  readonly what: string
  /** how many there are to search */
  readonly count: number
  readonly value: string
  readonly onInput: (typed: string) => void
}

export const ChoiceSearch = ({ what, count, value, onInput }: ChoiceSearchProps) => (
  <Search
    label={`Search ${what}`}
    placeholder={`Search ${count} ${what}`}
    value={value}
    onInput={onInput}
    // Enter would send the form
    onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
  />
)
