// What is typed into the forms of a connection, what is wrong with it, and what of it goes to the door.
import type { CreateConnectionBody, ReplaceCredentialsBody } from '../../answers.ts'

export interface Wish {
  readonly id: string
  readonly keyId: string
  /** false: an individual key, which has no issuer */
  readonly ofTeam: boolean
  readonly issuerId: string
  readonly linkage: boolean
  readonly perRequest: boolean
  readonly tried: boolean
}

export const emptyWish: Wish = {
  ...{ id: '', keyId: '', ofTeam: true, issuerId: '' },
  ...{ linkage: false, perRequest: false, tried: true },
}

export type Place = 'id' | 'keyId' | 'issuerId' | 'privateKey'
export type Faults = Readonly<Partial<Record<Place, string>>>

const tooLong = (text: string): string | undefined =>
  text.length > 64 ? `At most 64 characters: these are ${text.length}.` : undefined

function faultOfName(text: string, what: string): string | undefined {
  if (/[^\w-]/.test(text)) return `${what} has letters, digits, dashes and underscores only.`
  return tooLong(text)
}

function faultOfId(id: string): string | undefined {
  if (/[^\w.-]/.test(id)) return 'An id has letters, digits, dots, dashes and underscores only.'
  if (/^[^A-Za-z0-9]/.test(id)) return 'An id begins with a letter or a digit.'
  return tooLong(id)
}

const named = (faults: Readonly<Record<string, string | undefined>>): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))

/** what is wrong as it is typed: nothing is missing yet */
export const faultsOf = ({ id, keyId, ofTeam, issuerId }: Wish, isTaken: (id: string) => boolean): Faults =>
  named({
    id: faultOfId(id) ?? (isTaken(id) ? 'A connection with this id is there already.' : undefined),
    keyId: faultOfName(keyId, 'A key id'),
    issuerId: ofTeam ? faultOfName(issuerId, 'An issuer id') : undefined,
  })

/** what the form is not sent without */
export const missingOf = ({ id, keyId, ofTeam, issuerId }: Wish, hasKey: boolean, isNew: boolean): Faults =>
  named({
    id: isNew && id === '' ? 'Give it an id: callers name it in their requests.' : undefined,
    privateKey: hasKey ? undefined : 'Give the private key: drop, choose or paste its file.',
    keyId: keyId === '' ? 'The id of the key stands where it was made, and in the name of its file.' : undefined,
    issuerId: ofTeam && issuerId === '' ? 'A team key has an issuer: its id stands above the list of keys.' : undefined,
  })

export const credentialOf = ({ keyId, ofTeam, issuerId, tried }: Wish, privateKey: string): ReplaceCredentialsBody => ({
  ...{ keyId, privateKey, check: tried },
  ...(ofTeam && { issuerId }),
})

export const connectionOf = (wish: Wish, privateKey: string): CreateConnectionBody => ({
  ...{ id: wish.id, ...credentialOf(wish, privateKey) },
  ...(wish.linkage && { linkage: 'asked' }),
  ...(wish.perRequest && { tokenScope: 'request' }),
})
