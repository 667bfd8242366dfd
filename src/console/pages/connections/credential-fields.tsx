// The fields that adding and replacing share: the private key, the ids that belong to it, and whether it is tried first.
import { useSignal, useSignalEffect } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { ChoiceField, TextField } from '../../parts/field.tsx'
import { change, wish } from './draft.ts'
import { keyIdIn } from './key-file.ts'
import { KeyField } from './key-field.tsx'
import type { KeyInHand } from './key-in-hand.ts'
import type { UsedStoring } from './storing.ts'

/** the id in the name of the file, which fills the field unless somebody typed there */
function useNamedId(inHand: KeyInHand) {
  const filled = useSignal('')
  const inName = useSignal<string | undefined>(undefined)
  useSignalEffect(() => {
    const now = inHand.shown.value
    const named = now.state === 'none' ? undefined : keyIdIn(now.held.name)
    inName.value = named
    const { keyId } = wish.peek()
    if (named !== undefined && (keyId === '' || keyId === filled.peek())) {
      filled.value = named
      change({ keyId: named })
    }
  })
  return inName
}

interface FieldsProps {
  readonly inHand: KeyInHand
  readonly storing: Pick<UsedStoring, 'faults' | 'touched'>
}

function KeyIdField({ inHand, storing: { faults, touched } }: FieldsProps) {
  const inName = useNamedId(inHand).value
  const { keyId } = wish.value
  const isOther = inName !== undefined && keyId !== '' && inName !== keyId
  const hint = isOther ? (
    <>
      The name of the file says <code>{inName}</code>.{' '}
      <Button kind="quiet" onClick={() => change({ keyId: inName })}>
        Use that
      </Button>
    </>
  ) : (
    'Such as 2X9R4HXF34. It is in the name of the file.'
  )
  return (
    <TextField
      {...{ label: 'Key id', mono: true, required: true, value: keyId, fault: faults.value.keyId, hint }}
      onInput={(text) => {
        change({ keyId: text.trim() })
        touched('keyId')
      }}
    />
  )
}

function KindField({ touched }: FieldsProps['storing']) {
  const { ofTeam } = wish.value
  return (
    <ChoiceField
      label="Kind of key"
      value={ofTeam ? 'team' : 'individual'}
      choices={[
        ['team', 'Team key'],
        ['individual', 'Individual key'],
      ]}
      hint={ofTeam ? 'Of the account as a whole.' : 'Of one person: it has no issuer.'}
      onChoose={(chosen) => {
        change({ ofTeam: chosen === 'team' })
        touched('issuerId')
      }}
    />
  )
}

function IssuerField({ faults, touched }: FieldsProps['storing']) {
  const { ofTeam, issuerId } = wish.value
  return ofTeam ? (
    <TextField
      {...{ label: 'Issuer id', mono: true, required: true, value: issuerId, fault: faults.value.issuerId }}
      hint="Such as 57246542-96fe-1a63-e053-0824d0110001."
      onInput={(text) => {
        change({ issuerId: text.trim() })
        touched('issuerId')
      }}
    />
  ) : null
}

function Trying() {
  const { tried } = wish.value
  return (
    <div>
      <label class="box">
        <input
          type="checkbox"
          checked={tried}
          aria-describedby="connections-tried"
          onChange={({ currentTarget }) => change({ tried: currentTarget.checked })}
        />
        <span>Try it at the platform first</span>
      </label>
      <p class="hint" id="connections-tried">
        {tried
          ? 'Costs one call. A key that the platform does not know is not stored.'
          : 'It is stored untried: whether the platform knows it shows with the first read.'}
      </p>
    </div>
  )
}

export function CredentialFields({ inHand, storing, own }: FieldsProps & { readonly own?: string }) {
  const { touched, faults } = storing
  useSignalEffect(() => {
    if (inHand.shown.value.state !== 'none') touched('privateKey')
  })
  return (
    <>
      <KeyField inHand={inHand} fault={faults.value.privateKey} own={own} />
      <div class="pair">
        <KeyIdField {...{ inHand, storing }} />
        <KindField {...storing} />
      </div>
      <IssuerField {...storing} />
      <Trying />
    </>
  )
}
