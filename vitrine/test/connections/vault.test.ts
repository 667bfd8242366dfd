import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import test from 'node:test'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { createVault, UnreadableCredential } from '../../src/connections/vault.ts'
import { associate, seal } from '../../../base/core/seal.ts'
import type { ConnectionRecord } from '../../src/store/records.ts'
import { identityOf, key, makeKey, newText, oldText, record, recordOf, vault, vaultOf } from './vault-scene.ts'

test('a credential that was sealed opens to the same key', () => {
  assert.ok(vault.open(record).equals(key))
  const individual = recordOf(key, { issuerId: null, linkage: null, tokenScope: null, replacedAt: null })
  assert.ok(vault.open(individual).equals(key))
  assert.ok(vault.open({ ...record, lastUsedAt: 5 }).equals(key))
})

test('what is stored holds nothing of the key, and never comes twice', () => {
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const again = recordOf(key)
  assert.ok(!record.sealed.toString().includes(der.subarray(36, 44).toString()))
  assert.equal(Buffer.from(record.sealed).indexOf(der.subarray(36, 44)), -1)
  assert.notDeepEqual(again.wrapped, record.wrapped)
  assert.notDeepEqual(again.sealed, record.sealed)
})

test('a key that is not the one of the fingerprint is not sealed', () => {
  assert.throws(() => vault.close(identityOf(key), makeKey()), /fingerprint/)
})

test('a refusal names the master key only where that can be a name, and nothing else of the row', () => {
  const messageOf = (masterKey: string) => {
    try {
      vault.open({ ...record, masterKey })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.match(messageOf('third'), /^the master key third is not among those given$/)
  assert.match(messageOf('a\nb'), /^the master key that it names is not among those given$/)
})

test('what the right keys sealed is refused all the same where it is not the key that the row tells of', () => {
  // a data key that is known here, so that anything can be sealed in the right place
  const raw = randomBytes(32)
  const master = randomBytes(32)
  const own = createVault({ first: 'm', keys: new Map([['m', createSecretKey(master)]]) })
  const of = identityOf(key)
  const wrapped = seal(
    master,
    associate('vitrine data key 1', 'sm', `s${of.id}`, `s${of.epoch}`, `n${of.version}`),
    raw,
  )
  const texts = [`s${of.id}`, `s${of.epoch}`, `n${of.version}`, `s${of.keyId}`, `s${of.issuerId}`, `s${of.fingerprint}`]
  const ends = [`s${of.linkage}`, `s${of.tokenScope}`, `n${of.createdAt}`, `n${of.replacedAt}`]
  const put = (plain: Uint8Array): ConnectionRecord => {
    const sealed = seal(raw, associate('vitrine credential 1', ...texts, ...ends), plain)
    return { ...of, masterKey: 'm', wrapped, sealed, lastUsedAt: null }
  }
  const der = (some: KeyObject) => some.export({ type: 'pkcs8', format: 'der' })
  assert.ok(own.open(put(der(key))).equals(key))
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  for (const plain of [
    der(makeKey()),
    der(ed25519),
    der(p384),
    Buffer.alloc(0),
    randomBytes(138),
    der(key).subarray(1),
  ])
    assert.throws(
      () => own.open(put(plain)),
      (error) => error instanceof UnreadableCredential && error.code === 'not_the_key',
    )
})

test('a rewrapped row opens with the new master key alone, and its credential was not touched', () => {
  const rotating = vaultOf(newText, oldText)
  const { from, ...change } = rotating.rewrap(record)
  assert.deepEqual([change.id, change.masterKey, from], ['acme', 'new', record.wrapped])
  const moved = { ...record, ...change }
  assert.equal(moved.sealed, record.sealed)
  assert.ok(vaultOf(newText).open(moved).equals(key))
  assert.ok(rotating.open(record).equals(key))
  assert.throws(() => vaultOf(oldText).open(moved), UnreadableCredential)
  assert.throws(() => vaultOf(newText).open(record), UnreadableCredential)
  for (const edit of [
    { id: 'other' },
    { epoch: 'e2' },
    { version: 2 },
    { wrapped: Buffer.alloc(61) },
    { masterKey: 'x' },
  ])
    assert.throws(() => rotating.rewrap({ ...record, ...edit }), UnreadableCredential)
  // the credential is neither needed nor looked at
  assert.equal(rotating.rewrap({ ...record, sealed: Buffer.of() }).masterKey, 'new')
})

test('the proof of a master key is that of its bytes and its name', () => {
  assert.deepEqual([vault.writes, vault.reads], ['old', ['old', 'new']])
  const proof = vault.proofOf('old')
  assert.equal(proof.length, 32)
  assert.deepEqual(vaultOf(newText, oldText).proofOf('old'), proof)
  assert.notDeepEqual(vaultOf(makeMasterKey('old')).proofOf('old'), proof)
  assert.notDeepEqual(vaultOf(oldText.replace('old', 'older')).proofOf('older'), proof)
  const bytes = Buffer.from(oldText.slice(4), 'base64')
  const info = associate('vitrine master key proof 1', 'sold')
  assert.deepEqual(proof, Buffer.from(hkdfSync('sha256', bytes, '', info, 32)))
  assert.throws(() => vault.proofOf('third'), /no master key of that name/)
})
