// What the form for a connection accepts without a request: the API accepts it too, and the form is stricter about ids alone.
import assert from 'node:assert/strict'
import test from 'node:test'
import { UnusableKey, readPasted } from '../../src/console/pages/connections/key-file.ts'
import {
  connectionOf,
  emptyDraft,
  faultsOf,
  missingOf,
  type ConnectionDraft,
} from '../../src/console/pages/connections/connection-draft.ts'
import { checkBody } from '../../../base/operations/check.ts'
import { connectionOperations } from '../../src/management/connection-operations.ts'
import { Problem } from '../../src/problems.ts'

const create = connectionOperations.find(({ operationId }) => operationId === 'createConnection')
const schema = create?.body ?? assert.fail('there is no such operation')
const key = 'k'.repeat(300)

/** the member that the API would refuse; undefined: none */
function refusedMember(wish: ConnectionDraft, privateKey = key): string | undefined {
  try {
    checkBody(schema, JSON.parse(JSON.stringify(connectionOf(wish, privateKey))))
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.extras.param
  }
}

const good: ConnectionDraft = {
  ...emptyDraft,
  id: 'studio',
  keyId: '2X9R4HXF34',
  issuerId: '57246542-96fe-1a63-e053-0824d0110001',
}
const membersAtFault = (wish: ConnectionDraft) =>
  Object.keys({ ...missingOf(wish, true, true), ...faultsOf(wish, (id) => id === 'taken') })

const taken: Readonly<Record<string, Partial<ConnectionDraft>>> = {
  'an id of one letter': { id: 's' },
  'an id of 64 letters': { id: 's'.repeat(64) },
  'an id with all that it may have in it': { id: '9a.B_c-' },
  'an issuer in capital letters': { issuerId: good.issuerId.toUpperCase() },
  'an individual key, whatever was typed as issuer': { ofTeam: false, issuerId: 'no issuer' },
  'all options': { linkage: true, perRequest: true, checked: false },
}

for (const [title, part] of Object.entries(taken))
  test(`the form takes ${title}, and so does the endpoint`, () => {
    assert.deepEqual(membersAtFault({ ...good, ...part }), [])
    assert.equal(refusedMember({ ...good, ...part }), undefined)
  })

const refused: readonly (readonly [string, string, Partial<ConnectionDraft>])[] = [
  ['no id', 'id', { id: '' }],
  ['an id of 65 letters', 'id', { id: 's'.repeat(65) }],
  ['an id that begins with a dot', 'id', { id: '.s' }],
  ['an id that begins with a dash', 'id', { id: '-s' }],
  ['an id with a space', 'id', { id: 'my studio' }],
  ['an id with a letter beyond ASCII', 'id', { id: 'stüdio' }],
  ['no key id', 'keyId', { keyId: '' }],
  ['a key id with a dot', 'keyId', { keyId: 'a.b' }],
  ['a key id of 65 letters', 'keyId', { keyId: 'k'.repeat(65) }],
  ['an issuer with a slash', 'issuerId', { issuerId: 'a/b' }],
]

for (const [title, member, part] of refused)
  test(`the form refuses ${title} where the endpoint would`, () => {
    assert.deepEqual(membersAtFault({ ...good, ...part }), [member])
    assert.equal(refusedMember({ ...good, ...part }), member)
  })

const odd: readonly (readonly ['keyId' | 'issuerId', string])[] = [
  ['keyId', '2x9r4hxf34'],
  ['keyId', '2X9R4HXF3'],
  ['keyId', '2X9R4HXF345'],
  ['keyId', good.issuerId],
  ['issuerId', good.keyId],
  ['issuerId', good.issuerId.slice(1)],
  ['issuerId', `${good.issuerId}0`],
]

for (const [member, text] of odd)
  test(`the form says what ${member} looks like, and where it stands, for ${text}`, () => {
    const wish = { ...good, [member]: text }
    const fault = { ...missingOf(wish, true, true), ...faultsOf(wish, () => false) }[member] ?? ''
    assert.match(fault, member === 'keyId' ? /10 capital letters and digits/ : /is a UUID/)
    assert.match(fault, /under Users and Access > Integrations > App Store Connect API/)
  })

test('an id that is not complete has no fault while one types', () => {
  const wish = { ...good, keyId: '2X9', issuerId: '5724-' }
  assert.deepEqual(
    faultsOf(wish, () => false),
    {},
  )
})

test('a team key without an issuer is not sent: it would be stored as an individual key', () => {
  assert.deepEqual(membersAtFault({ ...good, issuerId: '' }), ['issuerId'])
})

test('an id that exists already is not sent', () => {
  assert.deepEqual(membersAtFault({ ...good, id: 'taken' }), ['id'])
})

test('the page and the API accept private keys of the same length', () => {
  assert.equal(readPasted('k'.repeat(8_192)).bytes, 8_192)
  assert.equal(refusedMember(good, 'k'.repeat(8_192)), undefined)
  assert.throws(() => readPasted('k'.repeat(8_193)), UnusableKey)
  assert.equal(refusedMember(good, 'k'.repeat(8_193)), 'privateKey')
})
