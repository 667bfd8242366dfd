// The audit lines: who did what to which object, with what result.
import assert from 'node:assert/strict'
import test from 'node:test'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openUsedRig } from '../service-rig.ts'

const password = 'correct horse battery'

test('the line of each change names the key or account, the object and the result', async (t) => {
  const { call, create, key, keyId, account, rig } = await openUsedRig(t)
  const { body: container } = await create()
  await call('POST', '/containers/exec', { key, body: { containerId: container.id, command: ['say', 'x'] } })
  const { body: image } = await call('POST', '/images', { key, body: { name: 'mine', dockerfile: 'FROM base\n' } })
  await call('DELETE', `/images/${image.id}`, { key })
  await call('DELETE', `/containers?id=${container.id}`, { key })
  const holder = await rig.account('a@example.org', await hashPassword(password))
  const signed = await call('POST', '/auth/login', { body: { email: 'a@example.org', password } })
  const cookie = String(signed.headers['set-cookie']).split(';')[0] ?? ''
  const headers = { cookie, origin: rig.service.url, 'x-csrf-token': signed.body.csrfToken }
  const { body: made } = await call('POST', '/api-keys', { headers, body: { name: 'ci' } })
  await call('DELETE', `/api-keys?id=${made.id}`, { headers })
  await call('DELETE', '/containers?id=my-secret-id', { key })

  const lines = rig.service.events.flatMap((event) => (event.kind === 'served' ? [event] : []))
  const line = (operation: string) => lines.find((one) => one.operation === operation)
  const wanted: readonly [string, string | undefined, string, string, number][] = [
    ['createContainer', keyId, account, container.id, 201],
    ['runCommand', keyId, account, container.id, 200],
    ['createImage', keyId, account, image.id, 202],
    ['deleteImage', keyId, account, image.id, 204],
    ['deleteContainer', keyId, account, container.id, 200],
    ['createKey', undefined, holder, made.id, 201],
    ['deleteKey', undefined, holder, made.id, 204],
  ]
  for (const [operation, key_, account_, target, status] of wanted) {
    const found = line(operation)
    assert.deepEqual([found?.keyId, found?.accountId, found?.target, found?.status], [key_, account_, target, status], operation) // prettier-ignore
  }
  const signIn = line('signIn')
  assert.deepEqual([signIn?.accountId, signIn?.status], [holder, 200])
  assert.equal(lines.at(-1)?.target, undefined, 'what has not the form of an id is not written down')
  const text = JSON.stringify(rig.service.events)
  for (const secret of [key, made.key, password, cookie, signed.body.csrfToken, 'my-secret-id'])
    assert.ok(!text.includes(secret), secret)
})
