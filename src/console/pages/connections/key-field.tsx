// The field for a private key. Its text never stays in the field; what is shown is what it is.
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { plainText } from '../../parts/foreign.tsx'
import { HeldKey } from './held-key.tsx'
import type { KeyInHand, KeyState } from './key-in-hand.ts'
import { Chooser, PasteBox, useDrop } from './key-ways.tsx'

const faultOf = (now: KeyState): string | undefined => {
  if (now.state !== 'none' || now.fault === undefined) return undefined
  return now.name === undefined ? now.fault : `${plainText(now.name)}: ${now.fault}`
}

interface KeyFieldProps {
  readonly inHand: KeyInHand
  readonly fault: string | undefined
  readonly own?: string | undefined
}

export function KeyField({ inHand, fault, own }: KeyFieldProps) {
  const now = inHand.shown.value
  useDrop(inHand)
  return (
    <div class="connections-key">
      <Field
        label="Private key"
        hint="The .p8 file as it was downloaded. It can also be dropped anywhere here."
        fault={faultOf(now) ?? fault}
      >
        {(tied) => (
          <div class="connections-give">
            <PasteBox tied={tied} offerText={inHand.offerText} />
            <Chooser offerFiles={inHand.offerFiles} />
          </div>
        )}
      </Field>
      <div class="connections-held" role="status">
        <HeldKey now={now} own={own} />
        {now.state !== 'none' && (
          <p class="connections-after">
            {now.state === 'unseen' && <Button onClick={inHand.lookAgain}>Look again</Button>}
            <Button kind="quiet" onClick={inHand.letGo}>
              Take out
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
