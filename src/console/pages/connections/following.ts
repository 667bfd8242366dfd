// Others add and remove connections too: where the service tells of other ones than the listing has, it is loaded anew.
import { useEffect } from 'preact/hooks'
import type { Connection } from '../../answers.ts'
import type { UsedListing } from '../../listing.ts'
import { ids, isWhole } from '../../told.ts'

/** what was done here is told of a moment later */
const patienceMs = 3_000

export function useFollowing({ listing, again }: Pick<UsedListing<Connection>, 'listing' | 'again'>) {
  const told = isWhole.value ? ids.value : undefined
  useEffect(() => {
    if (!told) return undefined
    const timer = setTimeout(() => {
      const { items, state } = listing.peek()
      if (state !== 'whole' || document.querySelector('dialog[open]')) return
      const known = new Set(items.map(({ id }) => id))
      if (known.size !== told.length || told.some((id) => !known.has(id))) again()
    }, patienceMs)
    return () => clearTimeout(timer)
  }, [told])
}
