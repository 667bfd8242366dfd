// The ways to provide a private key: pasted, chosen, dropped. It is taken at once, and stays in no field.
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { asTyped, type ControlProps } from '../../../../../base/console/parts/field.tsx'
import { useWindowEvent } from '../../../../../base/console/window-event.ts'
import type { KeyUpload } from './key-upload.ts'

type Offer = Pick<KeyUpload, 'offerFiles' | 'offerText'>

/** takes what is dropped anywhere: a browser would open a key file in the place of the page */
function useDrops(isMeant: (event: DragEvent) => boolean, { offerFiles, offerText }: Offer) {
  useWindowEvent('dragover', (event) => {
    if (!isMeant(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
  })
  useWindowEvent('drop', (event) => {
    if (!isMeant(event)) return
    event.preventDefault()
    const files = [...(event.dataTransfer?.files ?? [])]
    const text = event.dataTransfer?.getData('text/plain') ?? ''
    if (files.length === 0 && text !== '') offerText(text)
    else offerFiles(files)
  })
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

/** the open form takes everything that is dropped, and the files that opened it */
export function useDrop(upload: KeyUpload) {
  useDrops(() => true, upload)
  useEffect(() => {
    if (dropped.length > 0) upload.offerFiles(dropped)
    dropped = []
  }, [])
}

/** a keyboard may enter a text line by line */
const settledMs = 100

/** takes what is pasted before the field has it, and whatever else gets into it at once */
export function PasteBox({ control, offerText }: Pick<Offer, 'offerText'> & { readonly control: ControlProps }) {
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
      {...control}
      class="connections-paste mono"
      rows={1}
      placeholder="Paste the key"
      {...asTyped}
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

export function FileChooser({ offerFiles }: Pick<Offer, 'offerFiles'>) {
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
