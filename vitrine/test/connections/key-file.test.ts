import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { fingerprintOf, readPrivateKey } from '../../src/connections/credential.ts'
import { readKeyFile } from '../../src/connections/key-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-key-file-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'key.p8')

/** as OpenSSL writes a key, and as the platform hands it out: there the curve is named once more inside */
function formsOf(der: Buffer): Buffer[] {
  const head = Buffer.from('308193020100301306072a8648ce3d020106082a8648ce3d030107047930770201010420', 'hex')
  const again = Buffer.from('a00a06082a8648ce3d030107', 'hex')
  return [der, Buffer.concat([head, der.subarray(36, 68), again, der.subarray(68)])]
}

const freshForms = () =>
  formsOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'der' }))

const pemOf = (der: Buffer): string =>
  `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`

/** what comes of it: the key and its fingerprint, or the words of the refusal */
function verdictOf(read: () => { key: Buffer; fingerprint: string }) {
  try {
    return read()
  } catch (error) {
    return (error as Error).message
  }
}

const long = (text: string) =>
  verdictOf(() => {
    const key = readPrivateKey(text)
    return { key: key.export({ type: 'pkcs8', format: 'der' }), fingerprint: fingerprintOf(key) }
  })

function short(text: string) {
  writeFileSync(file, text)
  return verdictOf(() => {
    const { key, fingerprint } = readKeyFile(file)
    assert.equal(key(), key())
    return { key: key().export({ type: 'pkcs8', format: 'der' }), fingerprint }
  })
}

test('a file is judged the short way as it is the long way: 200 fresh keys in both forms', () => {
  for (const der of Array.from({ length: 100 }, freshForms).flat()) {
    const found = short(pemOf(der))
    assert.equal(typeof found, 'object')
    assert.deepEqual(found, long(pemOf(der)))
  }
})

test('and so it is with any one byte of it changed', () => {
  for (const der of freshForms())
    for (const at of der.keys())
      for (const bits of [1, 0x80, 0xff]) {
        const changed = Buffer.from(der)
        changed[at] = (changed[at] ?? 0) ^ bits
        assert.deepEqual(short(pemOf(changed)), long(pemOf(changed)), `byte ${at}, bits ${bits}`)
      }
})

test('a scalar of 0, and one beyond the order of the curve, are named when the file is read', () => {
  for (const [scalar, der] of [0, 0xff].flatMap((byte) => freshForms().map((one) => [byte, one] as const))) {
    const wrong = Buffer.from(der)
    wrong.fill(scalar, 36, 68)
    writeFileSync(file, pemOf(wrong))
    assert.throws(() => readKeyFile(file), /its private part is 0 or beyond the order|do not belong together|damaged/)
  }
})
