// Sends a form of a connection: what is wrong stands at its field, and the first of it gets the focus.
import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { StoredConnection } from '../../answers.ts'
import { ask } from '../../api.ts'
import { asRefusal, type Refusal } from '../../refusal.ts'
import { wish } from './draft.ts'
import type { KeyInHand } from './key-in-hand.ts'
import { type Faults, faultsOf, missingOf, type Place, type Wish } from './wish.ts'

const places: readonly Place[] = ['id', 'keyId', 'issuerId', 'privateKey']
/** refusals that name no member, and are about one all the same */
const placesOf: Readonly<Record<string, Place>> = {
  connection_exists: 'id',
  credential_refused: 'keyId',
  private_key_unusable: 'privateKey',
}

const placeOf = ({ code, param }: Refusal): Place | undefined => placesOf[code] ?? places.find((one) => one === param)

interface Storing<Stored> {
  readonly isNew: boolean
  readonly path: string
  readonly key: KeyInHand
  readonly bodyOf: (wish: Wish, privateKey: string) => object
  readonly isTaken: (id: string) => boolean
  readonly onStored: (stored: Stored) => void
}

export interface UsedStoring {
  readonly box: RefObject<HTMLFormElement | null>
  readonly faults: ReadonlySignal<Faults>
  /** what no field is to blame for */
  readonly refusal: Signal<Refusal | undefined>
  readonly busy: Signal<boolean>
  /** what was said of a field is forgotten once it is changed */
  readonly touched: (place: Place) => void
  readonly send: () => Promise<void>
}

function focusFault(box: HTMLFormElement | null) {
  requestAnimationFrame(() => box?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus())
}

export function useStoring<Stored extends StoredConnection>(storing: Storing<Stored>): UsedStoring {
  const { isNew, path, key, bodyOf, isTaken, onStored } = storing
  const box = useRef<HTMLFormElement>(null)
  const said = useSignal<Faults>({})
  const refusal = useSignal<Refusal | undefined>(undefined)
  const busy = useSignal(false)
  const faults = useComputed(() => ({ ...said.value, ...faultsOf(wish.value, isTaken) }))
  const touched = (place: Place) => {
    const { [place]: _, ...rest } = said.peek()
    said.value = rest
  }
  const refuse = (refused: Refusal) => {
    const place = placeOf(refused)
    if (place === 'privateKey') key.refuse(refused.message)
    else if (place) said.value = { [place]: refused.message }
    else refusal.value = refused
    focusFault(box.current)
  }
  const send = async () => {
    if (busy.peek()) return
    const privateKey = key.text()
    said.value = missingOf(wish.peek(), privateKey !== undefined, isNew)
    refusal.value = undefined
    if (privateKey === undefined || Object.keys(faults.peek()).length > 0) return focusFault(box.current)
    busy.value = true
    try {
      const stored = await ask<Stored>(path, { method: 'POST', body: bodyOf(wish.peek(), privateKey) })
      key.letGo()
      onStored(stored)
    } catch (error) {
      refuse(asRefusal(error))
    } finally {
      busy.value = false
    }
  }
  return { box, faults, refusal, busy, touched, send }
}
