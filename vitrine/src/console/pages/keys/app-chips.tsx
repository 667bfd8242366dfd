// Apps by name and id, each of which may be removed.
import { UntrustedText, plainText } from '../../../../../base/console/parts/display.tsx'
import type { NamedApp } from './apps.ts'
import './app-chips.css'

interface AppChipsProps {
  readonly ids: readonly string[]
  /** with names, as far as they are known */
  readonly apps: readonly NamedApp[]
  readonly onRemove?: (id: string) => void
}

export function AppChips({ ids, apps, onRemove }: AppChipsProps) {
  const names = new Map(apps.map(({ id, name }) => [id, name]))
  return (
    <ul class="app-chips" aria-label="Selected apps">
      {ids.map((id) => {
        const name = names.get(id)
        return (
          <li key={id}>
            {name !== undefined && <UntrustedText text={name} />} <span class="mono">{id}</span>
            {onRemove && (
              <button type="button" aria-label={`Remove ${plainText(name ?? id)}`} onClick={() => onRemove(id)}>
                ×
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
