// Certificates, the sealed form of secrets, and the places where placeholders are replaced.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { identityFor, makeAuthority } from '../../src/egress/certificates.ts'
import { replaceSecrets } from '../../src/egress/replace-secrets.ts'
import { openSealKey } from '../../src/egress/seal-key.ts'
import { makePlaceholder, makeVault, openVault, type Secret } from '../../src/egress/vault.ts'

const hourMs = 3_600_000

function folderOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-egress-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('an authority signs for one host, and is one itself', () => {
  const authority = makeAuthority('Atelier ct_1', Date.now() + hourMs)
  const other = makeAuthority('Atelier ct_1', Date.now() + hourMs)
  const [ca, leaf] = [new X509Certificate(authority.certificate), new X509Certificate(identityFor('api.example.com', authority).cert)] // prettier-ignore
  assert.deepEqual([ca.ca, leaf.ca], [true, false])
  assert.ok(ca.verify(ca.publicKey) && leaf.verify(ca.publicKey) && leaf.checkIssued(ca))
  assert.equal(leaf.verify(new X509Certificate(other.certificate).publicKey), false)
  assert.equal(leaf.checkHost('api.example.com'), 'api.example.com')
  assert.equal(leaf.checkHost('example.com'), undefined)
  assert.ok(leaf.validFromDate.getTime() < Date.now() && leaf.validToDate.getTime() > Date.now())
})

const noOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl'

test('a strict check by OpenSSL takes the certificates', { skip: noOpenssl }, (t) => {
  const folder = folderOf(t)
  const authority = makeAuthority('Atelier ct_1', Date.now() + hourMs)
  const [ca, leaf] = [join(folder, 'ca.pem'), join(folder, 'leaf.pem')]
  writeFileSync(ca, authority.certificate)
  writeFileSync(leaf, identityFor('api.example.com', authority).cert)
  const asked = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'api.example.com']
  const { stdout, stderr } = spawnSync('openssl', [...asked, '-CAfile', ca, leaf], { encoding: 'utf8' })
  assert.equal(stdout, `${leaf}: OK\n`, stderr)
})

const secretOf = (value: string, more: Partial<Secret> = {}): Secret => ({
  value,
  placeholder: makePlaceholder(),
  hosts: ['api.example.com'],
  header: 'authorization',
  ...more,
})

test('sealed secrets open with their key and for their container alone', () => {
  const key = createSecretKey(randomBytes(32))
  const vault = makeVault({ API_KEY: secretOf('sk-canary-1') }, 'ct_1')
  const sealed = vault.sealedWith(key, 'ct_1')
  assert.ok(!sealed.includes('canary') && !sealed.includes('PRIVATE'))
  const opened = openVault(key, 'ct_1', sealed) ?? assert.fail()
  assert.deepEqual(opened.secrets, vault.secrets)
  assert.equal(opened.certificate, vault.certificate)
  assert.ok(opened.contextOf('api.example.com'))
  assert.equal(openVault(key, 'ct_2', sealed), undefined)
  assert.equal(openVault(createSecretKey(randomBytes(32)), 'ct_1', sealed), undefined)
})

test('the key that seals is made once, for its owner alone', (t) => {
  const file = join(folderOf(t), 'data/egress.key')
  const key = openSealKey(file)
  assert.ok(openSealKey(file).equals(key))
  assert.deepEqual([statSync(file).mode & 0o777, readFileSync(file).length], [0o600, 32])
  chmodSync(file, 0o644)
  assert.throws(() => openSealKey(file), /can be read by others/)
  chmodSync(file, 0o600)
  writeFileSync(file, 'short')
  assert.throws(() => openSealKey(file), /does not hold 32 bytes/)
})

test('a placeholder is replaced in the header of its secret alone', () => {
  const [one, other] = [secretOf('value-one'), secretOf('value-two$&', { header: 'x-api-key' })]
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const sent = {
    Authorization: `Bearer ${one.placeholder}`,
    'X-API-Key': other.placeholder,
    'X-Other': one.placeholder,
    Cookie: other.placeholder,
    [one.placeholder]: 'a name',
  }
  const raw = Object.entries(sent).flat()
  const { headers, isUsed, codedForms } = replaceSecrets(raw, [one, other])
  assert.deepEqual([headers[1], headers[3], isUsed], ['Bearer value-one', 'value-two$&', true])
  assert.deepEqual(codedForms, [])
  assert.deepEqual(headers.slice(4), raw.slice(4))
  const crossed = ['Authorization', other.placeholder, 'X-API-Key', one.placeholder]
  assert.deepEqual(replaceSecrets(crossed, [one, other]).headers, crossed)
  const coded = replaceSecrets(['authorization', basic(`user:${one.placeholder}`)], [one])
  assert.deepEqual(coded.headers[1], basic('user:value-one'))
  assert.deepEqual(coded.codedForms, [basic('user:value-one').slice('Basic '.length)])
  for (const value of [basic('user:other'), 'Basic !!!', 'Basic', '', 'Bearer x']) {
    const { headers: same, isUsed: used } = replaceSecrets(['Authorization', value], [one])
    assert.deepEqual([same, used], [['Authorization', value], false])
  }
})

test('both halves of a Basic pair are replaced, and only the pair that is sent counts as a form of the values', () => {
  const [user, password] = [secretOf('the-user'), secretOf('the-password')]
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  const given = ['Authorization', basic(`${user.placeholder}:${password.placeholder}`)]
  const { headers, codedForms } = replaceSecrets(given, [user, password])
  const wanted = basic('the-user:the-password')
  assert.deepEqual([headers[1], codedForms], [wanted, [wanted.slice('Basic '.length)]])
})

test('a request whose headers would hold more than 16 KiB of replaced text is refused', () => {
  const secret = secretOf('v'.repeat(4_096))
  const times = (count: number) => ['Authorization', secret.placeholder.repeat(count)]
  assert.equal(replaceSecrets(times(4), [secret]).headers[1]?.length, 16_384)
  assert.throws(() => replaceSecrets(times(5), [secret]), /bad_request/)
  assert.throws(() => replaceSecrets([...times(2), ...times(3)], [secret]), /bad_request/)
})
