// The ways to hand over a private key: pasted, chosen, dropped. What is given goes on at once, and stays in no field.
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import type { Tied } from '../../parts/field.tsx'
import type { KeyInHand } from './key-in-hand.ts'

type Taking = Pick<KeyInHand, 'offerFiles' | 'offerText'>

function take(event: DragEvent, { offerFiles, offerText }: Taking) {
  event.preventDefault()
  const files = [...(event.dataTransfer?.files ?? [])]
  const text = event.dataTransfer?.getData('text/plain') ?? ''
  if (files.length === 0 && text !== '') offerText(text)
  else offerFiles(files)
}

/** takes what is dropped anywhere: a browser would open a key file in the page's place */
function useDrops(isMeant: (event: DragEvent) => boolean, taking: Taking) {
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!isMeant(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    }
    const drop = (event: DragEvent) => {
      if (isMeant(event)) take(event, taking)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])
}

let dropped: readonly File[] = []

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** files open the form that takes them, unless another is open */
export function useDropOnPage(open: () => void) {
  const offerFiles = (files: readonly File[]) => {
    if (document.querySelector('dialog[open]')) return
    dropped = files
    open()
  }
  useDrops(hasFiles, { offerFiles, offerText: () => {} })
}

/** all that is dropped while the form is open is meant for it, and so is what opened it */
export function useDrop(inHand: KeyInHand) {
  useDrops(() => true, inHand)
  useEffect(() => {
    if (dropped.length > 0) inHand.offerFiles(dropped)
    dropped = []
  }, [])
}

/** a keyboard may put a text in line by line */
const settledMs = 100

/** takes what is pasted before the field has it, and whatever else gets into it at once */
export function PasteBox({ tied, offerText }: { readonly tied: Tied; readonly offerText: (text: string) => void }) {
  const coming = useRef({ text: '', timer: 0 })
  const settle = () => {
    const { text } = coming.current
    coming.current.text = ''
    offerText(text)
  }
  useEffect(
    () => () => {
      clearTimeout(coming.current.timer)
      coming.current.text = ''
    },
    [],
  )
  return (
    <textarea
      {...tied}
      class="connections-paste mono"
      rows={1}
      placeholder="Paste it here"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      onPaste={(event) => {
        event.preventDefault()
        offerText(event.clipboardData?.getData('text/plain') ?? '')
      }}
      onInput={({ currentTarget }) => {
        coming.current.text += currentTarget.value
        currentTarget.value = ''
        clearTimeout(coming.current.timer)
        coming.current.timer = setTimeout(settle, settledMs)
      }}
    />
  )
}

export function Chooser({ offerFiles }: { readonly offerFiles: (files: readonly File[]) => void }) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={chooser}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        accept=".p8,.pem,.key,.txt,application/pkcs8"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) offerFiles(files)
        }}
      />
      <Button onClick={() => chooser.current?.click()}>Choose file</Button>
    </>
  )
}
