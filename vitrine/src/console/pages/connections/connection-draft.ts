// What is typed into the forms of a connection, what is wrong with it, and the request that it becomes.

export const emptyDraft = {
  id: '',
  keyId: '',
  /** false: an individual key, which has no issuer */
  ofTeam: true,
  issuerId: '',
  linkage: false,
  perRequest: false,
  checked: true,
}

export type ConnectionDraft = Readonly<typeof emptyDraft>

export type FieldName = 'id' | 'keyId' | 'issuerId' | 'privateKey'
export type ConnectionFaults = Readonly<Partial<Record<FieldName, string>>>

const lengthFault = (text: string): string | undefined =>
  text.length > 64 ? `Use at most 64 characters instead of ${text.length}.` : undefined

const shownAt = 'under Users and Access > Integrations > App Store Connect API'
const keyIdFault = `A key ID is 10 capital letters and digits. App Store Connect shows it in the list of keys, ${shownAt}.`
const issuerIdFault = `An issuer ID is a UUID. App Store Connect shows it above the list of keys, ${shownAt}.`

function idFault(id: string): string | undefined {
  if (/[^\w.-]/.test(id)) return 'An ID can contain only letters, digits, dots, hyphens and underscores.'
  if (/^[^A-Za-z0-9]/.test(id)) return 'An ID must start with a letter or a digit.'
  return lengthFault(id)
}

const present = (faults: Readonly<Record<string, string | undefined>>): ConnectionFaults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))

/** what is wrong while one types: nothing is missing yet */
export const faultsOf = (draft: ConnectionDraft, isTaken: (id: string) => boolean): ConnectionFaults =>
  present({
    id: idFault(draft.id) ?? (isTaken(draft.id) ? 'A connection with this ID already exists.' : undefined),
    keyId: /^[A-Z\d]{0,10}$/.test(draft.keyId) ? undefined : keyIdFault,
    issuerId: !draft.ofTeam || /^[\da-fA-F-]{0,36}$/.test(draft.issuerId) ? undefined : issuerIdFault,
  })

function missingIssuer(issuerId: string): string | undefined {
  if (issuerId === '') return 'Enter the issuer ID. It is above the list of keys in App Store Connect.'
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(issuerId) ? undefined : issuerIdFault
}

/** what the form is not sent without */
export function missingOf(draft: ConnectionDraft, hasKey: boolean, isNew: boolean): ConnectionFaults {
  const { id, keyId, ofTeam, issuerId } = draft
  return present({
    id: isNew && id === '' ? 'Enter an ID. Callers use it in their requests.' : undefined,
    privateKey: hasKey ? undefined : 'Provide the private key: drop, choose or paste its file.',
    keyId:
      keyId === ''
        ? 'Enter the key ID. It is in App Store Connect and in the file name.'
        : keyId.length < 10
          ? keyIdFault
          : undefined,
    issuerId: ofTeam ? missingIssuer(issuerId) : undefined,
  })
}

export const credentialOf = (draft: ConnectionDraft, privateKey: string) => ({
  keyId: draft.keyId,
  privateKey,
  check: draft.checked,
  issuerId: draft.ofTeam ? draft.issuerId : undefined,
})

export const connectionOf = (draft: ConnectionDraft, privateKey: string) => ({
  id: draft.id,
  ...credentialOf(draft, privateKey),
  linkage: draft.linkage ? 'asked' : undefined,
  tokenScope: draft.perRequest ? 'request' : undefined,
})
