// The field for a private key. Its text never stays in the field; what is shown is its file, its size and its fingerprint.
import type { ComponentChildren } from 'preact'
import { counted } from '../../../../../base/console/format.ts'
import { Badge, plainText, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Field } from '../../../../../base/console/parts/field.tsx'
import { FileChooser, PasteBox, useDrop } from './key-input.tsx'
import type { KeyState, KeyUpload } from './key-upload.ts'

const few = 5

interface KeySummaryProps {
  readonly now: KeyState
  /** the connection that the key is given to, which may have it already */
  readonly own: string | undefined
}

function KeySummary({ now, own }: KeySummaryProps): ComponentChildren {
  if (now.state === 'none') return <p class="soft">No key provided.</p>
  const { name, bytes } = now.file
  const file = (
    <>
      {name === undefined ? 'Pasted key' : <UntrustedText text={name} />}, {counted(bytes, 'byte')}
    </>
  )
  if (now.state === 'checking')
    return (
      <p>
        {file} <span class="soft">is being checked…</span>
      </p>
    )
  if (now.state === 'unchecked')
    return (
      <p>
        {file}. <span class="soft">It could not be checked: {now.refusal.message}</span>
      </p>
    )
  const usedBy = now.found.usedBy.filter((id) => id !== own)
  return (
    <>
      <p>
        {file} <Badge tone="good">usable</Badge>
      </p>
      <p>
        <span class="soft">Fingerprint</span> <span class="mono connections-print">{now.found.fingerprint}</span>
      </p>
      {usedBy.length > 0 && (
        <p class="connections-note">
          Also the key of {counted(usedBy.length, 'connection')}: {usedBy.slice(0, few).join(', ')}
          {usedBy.length > few && ` and ${usedBy.length - few} more`}. They share its quota.
        </p>
      )}
    </>
  )
}

function faultOf(now: KeyState): string | undefined {
  if (now.state !== 'none' || now.fault === undefined) return undefined
  return now.name === undefined ? now.fault : `${plainText(now.name)}: ${now.fault}`
}

interface KeyFieldProps {
  readonly upload: KeyUpload
  readonly fault: string | undefined
  readonly own?: string | undefined
}

export function KeyField({ upload, fault, own }: KeyFieldProps) {
  const now = upload.shown.value
  useDrop(upload)
  return (
    <div class="connections-key">
      <Field
        label="Private key"
        hint="The .p8 file as downloaded. You can also drop it anywhere on this page."
        fault={faultOf(now) ?? fault}
      >
        {(control) => (
          <div class="connections-input">
            <PasteBox control={control} offerText={upload.offerText} />
            <FileChooser offerFiles={upload.offerFiles} />
          </div>
        )}
      </Field>
      <div class="connections-uploaded" role="status">
        <KeySummary now={now} own={own} />
        {now.state !== 'none' && (
          <p class="connections-after">
            {now.state === 'unchecked' && <Button onClick={upload.inspect}>Check again</Button>}
            <Button kind="quiet" onClick={upload.clear}>
              Clear
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
