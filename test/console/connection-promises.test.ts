// What the form for a connection holds to be right without asking: it must be what the door takes.
import assert from 'node:assert/strict'
import test from 'node:test'
import { NoKey, readPasted } from '../../src/console/pages/connections/key-file.ts'
import { connectionOf, emptyWish, faultsOf, missingOf, type Wish } from '../../src/console/pages/connections/wish.ts'
import { checkBody } from '../../src/http/operator/check.ts'
import { connectionOperations } from '../../src/http/operator/connections.ts'
import { Problem } from '../../src/problem.ts'

const create = connectionOperations.find(({ operationId }) => operationId === 'createConnection')
const schema = create?.body ?? assert.fail('there is no such operation')
const key = 'k'.repeat(300)

/** the member that the door would refuse; undefined: none */
function refusedMember(wish: Wish, privateKey = key): string | undefined {
  try {
    checkBody(schema, JSON.parse(JSON.stringify(connectionOf(wish, privateKey))))
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.extras.param
  }
}

const good: Wish = { ...emptyWish, id: 'studio', keyId: '2X9R4HXF34', issuerId: '57246542-96fe-1a63-e053-0824d0110001' }
const membersAtFault = (wish: Wish) =>
  Object.keys({ ...missingOf(wish, true, true), ...faultsOf(wish, (id) => id === 'taken') })

const taken: Readonly<Record<string, Partial<Wish>>> = {
  'an id of one letter': { id: 's' },
  'an id of 64 letters': { id: 's'.repeat(64) },
  'an id with all that it may have in it': { id: '9a.B_c-' },
  'ids of 64 dashes': { keyId: '-'.repeat(64), issuerId: '-'.repeat(64) },
  'an individual key, whatever was typed as issuer': { ofTeam: false, issuerId: 'no issuer' },
  'all options': { linkage: true, perRequest: true, tried: false },
}

for (const [title, part] of Object.entries(taken))
  test(`the form takes ${title}, and so does the door`, () => {
    assert.deepEqual(membersAtFault({ ...good, ...part }), [])
    assert.equal(refusedMember({ ...good, ...part }), undefined)
  })

const refused: readonly (readonly [string, string, Partial<Wish>])[] = [
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
  test(`the form refuses ${title} where the door would`, () => {
    assert.deepEqual(membersAtFault({ ...good, ...part }), [member])
    assert.equal(refusedMember({ ...good, ...part }), member)
  })

test('a team key without an issuer is not sent: it would be stored as an individual one', () => {
  assert.deepEqual(membersAtFault({ ...good, issuerId: '' }), ['issuerId'])
})

test('an id that is there already is not sent', () => {
  assert.deepEqual(membersAtFault({ ...good, id: 'taken' }), ['id'])
})

test('a private key may be as long for the page as for the door', () => {
  assert.equal(readPasted('k'.repeat(8_192)).bytes, 8_192)
  assert.equal(refusedMember(good, 'k'.repeat(8_192)), undefined)
  assert.throws(() => readPasted('k'.repeat(8_193)), NoKey)
  assert.equal(refusedMember(good, 'k'.repeat(8_193)), 'privateKey')
})
