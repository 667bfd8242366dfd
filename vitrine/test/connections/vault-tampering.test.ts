import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { fingerprintOf } from '../../src/connections/credential.ts'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { type ConnectionIdentity, UnreadableCredential } from '../../src/connections/vault.ts'
import type { ConnectionRecord } from '../../src/store/records.ts'
import { key, makeKey, newText, record, recordOf, vault, vaultOf } from './vault-scene.ts'

type Edit = { readonly [name in keyof ConnectionRecord]?: unknown }
const refuses = (edit: Edit, code?: UnreadableCredential['code'], by = vault) => {
  const edited = { ...record, ...edit } as ConnectionRecord
  assert.throws(
    () => by.open(edited),
    (error) => error instanceof UnreadableCredential && (code === undefined || error.code === code),
    inspect(edit),
  )
}

const edits: Record<keyof ConnectionIdentity, readonly unknown[]> = {
  id: ['acmf', 'ACME', '', 'acme\0', null, undefined, 7, ['acme'], { id: 'acme' }],
  epoch: ['e2', '', null, undefined, 1, Symbol('e1')],
  version: [2, 4, 0, -3, 3.5, '3', Number.NaN, Infinity, 3n, null, undefined],
  keyId: ['KEY2', 'key1', '', null, undefined],
  issuerId: ['issuer2', '', 'null', null, undefined],
  fingerprint: [fingerprintOf(makeKey()), record.fingerprint.toUpperCase(), '', null, undefined],
  linkage: [null, undefined, '', 'all'],
  tokenScope: [null, undefined, '', 'none'],
  createdAt: [1_760_000_000_001, 0, '1760000000000', null, undefined],
  replacedAt: [1_770_000_000_001, 0, null, undefined, Number.NaN],
}
for (const [name, values] of Object.entries(edits))
  test(`F153: a row does not open with another ${name}`, () => {
    for (const value of values) refuses({ [name]: value })
  })

test('absence, an empty text and the name of nothing are told apart', () => {
  const values = [null, '', '-', 'null', 'undefined', 's']
  for (const issuerId of values) {
    const row = recordOf(key, { issuerId })
    for (const other of values) {
      const edited = { ...row, issuerId: other }
      if (other === issuerId) assert.ok(vault.open(edited).equals(key))
      else assert.throws(() => vault.open(edited), UnreadableCredential, `${issuerId} -> ${other}`)
    }
  }
  // two texts that become the same bytes are not both taken
  assert.throws(() => recordOf(key, { keyId: 'K\uD800' }), TypeError)
  assert.throws(() => vault.open({ ...recordOf(key, { keyId: 'K\uFFFD' }), keyId: 'K\uD800' }), UnreadableCredential)
})

for (const member of ['wrapped', 'sealed'] as const) {
  const code = member === 'wrapped' ? 'data_key_closed' : 'credential_closed'
  const bytes = Buffer.from(record[member])

  test(`F153: a row does not open with any byte of ${member} changed`, () => {
    for (let at = 0; at < bytes.length; at++)
      for (const mask of [0x01, 0x80, 0xff]) {
        const forged = Buffer.from(bytes)
        forged[at] = (forged[at] ?? 0) ^ mask
        refuses({ [member]: forged }, code)
      }
  })

  test(`F154: a row does not open with ${member} shorter, longer, of another format or no bytes at all`, () => {
    for (let end = 0; end < bytes.length; end++) {
      refuses({ [member]: bytes.subarray(0, end) }, code)
      refuses({ [member]: bytes.subarray(bytes.length - end) }, code)
    }
    refuses({ [member]: Buffer.concat([bytes, Buffer.of(0)]) }, code)
    refuses({ [member]: Buffer.concat([bytes, bytes]) }, code)
    for (let format = 0; format < 256; format++)
      if (format !== bytes[0]) refuses({ [member]: Buffer.concat([Buffer.of(format), bytes.subarray(1)]) }, code)
    const wide = new Uint16Array(bytes)
    const odd = [
      Buffer.alloc(50_000_000),
      bytes.toString('latin1'),
      [...bytes],
      wide,
      bytes.buffer,
      {},
      7,
      null,
      undefined,
    ]
    for (const value of [...odd, key.export({ type: 'pkcs8', format: 'der' })]) refuses({ [member]: value }, code)
  })

  test(`F152: ${member} of another connection, account or version does not open here`, () => {
    for (const more of [{ id: 'other' }, { epoch: 'e2' }, { version: 2 }, { version: 4 }]) {
      const other = recordOf(key, more)
      refuses({ [member]: other[member] }, code)
      assert.throws(() => vault.open({ ...other, [member]: record[member] }), UnreadableCredential)
    }
  })
}

test('F152: both parts of another row, moved together, do not open here', () => {
  for (const more of [{ id: 'other' }, { epoch: 'e2' }, { version: 2 }, { keyId: 'KEY2' }, { linkage: null }]) {
    const { wrapped, sealed } = recordOf(key, more)
    refuses({ wrapped, sealed })
  }
})

test('the master key is chosen by its name, and no other is tried', () => {
  refuses({ masterKey: 'new' }, 'data_key_closed')
  for (const name of ['third', '', '__proto__', 'x'.repeat(10_000), 'a\nb', null, undefined, 7, {}, Symbol('old')])
    refuses({ masterKey: name }, 'master_key_unknown')
  // another key under the same name
  refuses({}, 'data_key_closed', vaultOf(makeMasterKey('old'), newText))
  refuses({}, 'master_key_unknown', vaultOf(newText))
})
