// Which connection is open: its id is in the address, so that it can be linked to and loaded again.
import { go, place, rename } from '../../router.ts'

export const chosenId = (): string | undefined => place.value.query.get('id') ?? undefined

/** the way back leads out of the first one that was opened */
export function open({ id }: { readonly id: string }) {
  if (chosenId() === undefined) go('/connections', { id })
  else rename({ id })
}

export const close = () => go('/connections')
