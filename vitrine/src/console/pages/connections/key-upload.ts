// The private key of a form. Its text is in one variable alone, from the moment it is given until the form is
// done with it; what is shown is its file, its size and what the API says of it.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { InspectedKey } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { type ApiRefusal, asRefusal } from '../../../../../base/console/refusal.ts'
import { readFiles, readPasted, UnusableKey, type UploadedKey } from './key-file.ts'

type KeyFile = Omit<UploadedKey, 'text'>

export type KeyState =
  | { readonly state: 'none'; readonly fault?: string | undefined; readonly name?: string | undefined }
  | { readonly state: 'checking'; readonly file: KeyFile }
  | { readonly state: 'usable'; readonly file: KeyFile; readonly found: InspectedKey }
  /** the API could not be asked: the key is kept, and checked when the form is sent */
  | { readonly state: 'unchecked'; readonly file: KeyFile; readonly refusal: ApiRefusal }

function createUpload(shown: Signal<KeyState>) {
  let uploaded: UploadedKey | undefined
  let turn = new AbortController()
  /** forgets the key; `fault` says why */
  const forget = (fault?: string, name?: string) => {
    turn.abort()
    uploaded = undefined
    shown.value = { state: 'none', fault, name }
  }
  const begin = (): AbortSignal => {
    turn.abort()
    turn = new AbortController()
    return turn.signal
  }
  const inspect = async () => {
    if (!uploaded) return
    const signal = begin()
    const { text, ...file } = uploaded
    shown.value = { state: 'checking', file }
    try {
      const found = await ask<InspectedKey>('/private-key', { method: 'POST', body: { privateKey: text }, signal })
      if (signal.aborted) return
      if (found.usable) shown.value = { state: 'usable', file, found }
      else forget(found.message, file.name)
    } catch (error) {
      if (!signal.aborted) shown.value = { state: 'unchecked', file, refusal: asRefusal(error) }
    }
  }
  const offer = async (read: () => UploadedKey | Promise<UploadedKey>, name?: string) => {
    forget()
    const signal = begin()
    try {
      const key = await read()
      if (signal.aborted) return
      uploaded = key
      await inspect()
    } catch (error) {
      if (!signal.aborted) forget(error instanceof UnusableKey ? error.message : asRefusal(error).message, name)
    }
  }
  return {
    shown,
    text: () => uploaded?.text,
    clear: () => forget(),
    refuse: (fault: string) => forget(fault, uploaded?.name),
    inspect: () => void inspect(),
    offerText: (text: string): void => void offer(() => readPasted(text)),
    offerFiles: (files: readonly File[]): void =>
      void offer(() => readFiles(files), files.length === 1 ? files[0]?.name : undefined),
  }
}

export type KeyUpload = ReturnType<typeof createUpload>

export function useKeyUpload(): KeyUpload {
  const shown = useSignal<KeyState>({ state: 'none' })
  const upload = useMemo(() => createUpload(shown), [])
  useEffect(() => upload.clear, [])
  return upload
}
