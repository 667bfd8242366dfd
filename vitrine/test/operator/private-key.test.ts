import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import test from 'node:test'
import { account, pem, startManager, strangerPem } from './manager.ts'

const curve = (namedCurve: string) =>
  String(generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }))
const lines = pem.split('\n')

test('a private key is inspected as adding would read it, with the connections that have the same one', async (t) => {
  const { ask } = await startManager(t)
  const inspect = async (privateKey: string) => (await ask('POST', '/private-key', { body: { privateKey } })).json
  for (const id of ['studio', 'beta']) await ask('POST', '/connections', { body: { id, ...account, check: false } })
  const stored = (await ask('GET', '/connections/studio')).json
  const found = await inspect(pem)
  assert.deepEqual(found, {
    usable: true,
    message: 'The private key can be used.',
    fingerprint: stored.fingerprint,
    usedBy: ['acme', 'beta', 'other', 'solo', 'studio'],
  })
  for (const form of [pem.replaceAll('\n', '\\n'), Buffer.from(pem).toString('base64'), `"${pem}"`])
    assert.deepEqual(await inspect(form), found)
  const stranger = await inspect(strangerPem)
  assert.deepEqual([stranger.usable, stranger.usedBy], [true, []])
  assert.match(stranger.fingerprint, /^[0-9a-f]{64}$/)
})

test('an unusable private key is described with the same message as when adding it', async (t) => {
  const { ask } = await startManager(t)
  const mistakes: readonly [text: string, message: string][] = [
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'it is a certificate, not a private key'],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'it is a public key, not a private one'],
    ['-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----', 'it is a key of type rsa, not EC'],
    [
      '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----',
      'the key is encrypted: it is needed without a passphrase',
    ],
    [curve('P-384'), 'it lies on the curve secp384r1, not on P-256'],
    [lines.slice(0, 2).join('\n'), 'it is truncated: its last line is missing'],
    ['{"connections": {}}', 'it is JSON, and there is no private key in it'],
    [' ', 'it is empty'],
    ['x', 'it holds no private key in PEM form'],
  ]
  for (const [privateKey, reason] of mistakes) {
    const message = `The private key cannot be used: ${reason}.`
    const inspected = (await ask('POST', '/private-key', { body: { privateKey } })).json
    assert.deepEqual(inspected, { usable: false, message, fingerprint: null, usedBy: [] })
    const { error } = (await ask('POST', '/connections', { body: { ...account, id: 'x', privateKey } })).json
    assert.deepEqual([error.code, error.message], ['private_key_unusable', message])
  }
  const told = async (privateKey: string) => (await ask('POST', '/private-key', { body: { privateKey } })).json.message
  assert.equal(await told(''), 'The private key cannot be used: it is empty.')
  assert.equal(await told('A'.repeat(32_768)), 'The private key cannot be used: it is too large for a key.')
})

test('an inspected private key is not stored and not audited', async (t) => {
  const { ask, deeds, service } = await startManager(t)
  await ask('POST', '/private-key', { body: { privateKey: strangerPem } })
  await ask('POST', '/private-key', { body: { privateKey: strangerPem.slice(0, 99) } })
  for (const body of [{}, { privateKey: 5 }, { privateKey: 'A'.repeat(32_769) }, { privateKey: pem, id: 'x' }]) {
    const { status, json } = await ask('POST', '/private-key', { body })
    assert.deepEqual([status, json.error.code], [400, 'member_invalid'])
  }
  assert.deepEqual(await deeds(), ['keys.create done'])
  assert.deepEqual(await service.running.connections(), ['acme', 'other', 'solo'])
  const outsider = await ask('POST', '/private-key', { body: { privateKey: pem }, token: null })
  assert.equal(outsider.json.error.code, 'operator_token_missing')
})

test('a managed connection hides a hosted one of its id, also where keys are compared', async (t) => {
  const { ask, service } = await startManager(t)
  await ask('POST', '/connections', { body: { id: 'studio', ...account, privateKey: strangerPem, check: false } })
  const usedBy = async () =>
    (await ask('POST', '/private-key', { body: { privateKey: strangerPem } })).json.usedBy as string[]
  assert.deepEqual(await usedBy(), ['studio'])
  const { connections } = service.settings
  assert.ok(
    await service.running.reload(() => ({ ...service.settings, connections: { studio: connections['acme'] as any } })),
  )
  assert.deepEqual(await usedBy(), [])
})
