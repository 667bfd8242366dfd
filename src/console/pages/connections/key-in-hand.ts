// The private key of a form. Its text is in a variable of this object alone, from the moment it is given until the form is
// done with it; what is shown is its file, its size and what the door says of it.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { InspectedKey } from '../../answers.ts'
import { ask } from '../../api.ts'
import { asRefusal, type Refusal } from '../../refusal.ts'
import { type Handed, NoKey, readFiles, readPasted } from './key-file.ts'

/** what may be shown of it */
export type Held = Omit<Handed, 'text'>

export type KeyState =
  | { readonly state: 'none'; readonly fault?: string; readonly name?: string | undefined }
  | { readonly state: 'looking'; readonly held: Held }
  | { readonly state: 'usable'; readonly held: Held; readonly found: InspectedKey }
  /** the door could not be asked: the key is kept, and the door looks at it again when the form is sent */
  | { readonly state: 'unseen'; readonly held: Held; readonly refusal: Refusal }

export interface KeyInHand {
  readonly shown: Signal<KeyState>
  readonly offerFiles: (files: readonly File[]) => void
  readonly offerText: (text: string) => void
  readonly lookAgain: () => void
  /** what is wrong with it, where the door says so later; it is let go of */
  readonly refuse: (fault: string) => void
  readonly letGo: () => void
  /** undefined: there is none */
  readonly text: () => string | undefined
}

/** no key, and why where one was given */
const none = (fault?: string, name?: string): KeyState => ({
  state: 'none',
  ...(fault !== undefined && { fault }),
  name,
})

class Hand implements KeyInHand {
  readonly shown: Signal<KeyState>
  #handed: Handed | undefined = undefined
  #turn = new AbortController()

  constructor(shown: Signal<KeyState>) {
    this.shown = shown
  }

  readonly text = () => this.#handed?.text
  readonly letGo = () => this.#letGo(none())
  readonly refuse = (fault: string) => this.#letGo(none(fault, this.#handed?.name))
  readonly lookAgain = () => void this.#look()
  readonly offerText = (text: string) => void this.#offer(() => readPasted(text))
  readonly offerFiles = (files: readonly File[]) =>
    void this.#offer(() => readFiles(files), files.length === 1 ? files[0]?.name : undefined)

  #letGo(shown: KeyState) {
    this.#turn.abort()
    this.#handed = undefined
    this.shown.value = shown
  }

  /** what was under way is of no interest any more */
  #begin(): AbortSignal {
    this.#turn.abort()
    this.#turn = new AbortController()
    return this.#turn.signal
  }

  async #look() {
    if (!this.#handed) return
    const signal = this.#begin()
    const { text, ...held } = this.#handed
    this.shown.value = { state: 'looking', held }
    try {
      const found = await ask<InspectedKey>('/private-key', { method: 'POST', body: { privateKey: text }, signal })
      if (signal.aborted) return
      if (found.usable) this.shown.value = { state: 'usable', held, found }
      else this.#letGo(none(found.message, held.name))
    } catch (error) {
      if (!signal.aborted) this.shown.value = { state: 'unseen', held, refusal: asRefusal(error) }
    }
  }

  async #offer(read: () => Handed | Promise<Handed>, name?: string) {
    this.letGo()
    const signal = this.#begin()
    try {
      const handed = await read()
      if (signal.aborted) return
      this.#handed = handed
      await this.#look()
    } catch (error) {
      const fault = error instanceof NoKey ? error.message : asRefusal(error).message
      if (!signal.aborted) this.#letGo(none(fault, name))
    }
  }
}

/** lets go of the key when the form is closed */
export function useKeyInHand(): KeyInHand {
  const shown = useSignal<KeyState>({ state: 'none' })
  const key = useMemo(() => new Hand(shown), [])
  useEffect(() => key.letGo, [])
  return key
}
