import assert from 'node:assert/strict'
import test from 'node:test'
import { operations } from '../../src/management/operations.ts'
import { mayDo, neededRole, roleOf } from '../../src/management/roles.ts'
import { ada, ann, kim, openProviderScene } from './provider-scene.ts'
import { codeOf } from './signed-in.ts'

/** every operation that a viewer may not use, typed by hand */
const needed = {
  createConnection: 'administrator',
  removeConnection: 'administrator',
  checkConnection: 'administrator',
  replaceCredentials: 'administrator',
  inspectPrivateKey: 'administrator',
  startExamination: 'administrator',
  stopExamination: 'administrator',
  createKey: 'keyManager',
  revokeKey: 'keyManager',
  rerollKey: 'keyManager',
}

test('a viewer may do everything that changes nothing and takes no private key, and each other operation names its role', () => {
  const found = operations.map((one) => [one.operationId, neededRole(one)]).filter(([, role]) => role !== 'viewer')
  assert.deepEqual(Object.fromEntries(found), needed)
  for (const operation of operations) {
    assert.ok(mayDo('administrator', operation))
    assert.ok(mayDo('keyManager', operation) || !mayDo('viewer', operation))
  }
  assert.deepEqual([roleOf(undefined), roleOf({ role: undefined }), roleOf({ role: 'root' })], ['administrator', 'administrator', 'viewer']) // prettier-ignore
})

const path = (template: string): string =>
  template.replace('{id}', template.includes('/keys/') ? 'A1b2C3d4E5f6' : 'acme')

test('an operation that the role does not allow is 403 with the role it needs, before its body is read, and is audited', async (t) => {
  const scene = await openProviderScene(t)
  for (const [person, role] of [
    [ann, 'viewer'],
    [kim, 'keyManager'],
  ] as const) {
    // prettier-ignore
    const mine = await scene.signIn(person)
    for (const { method, path: template, operationId, act } of operations) {
      const wants = needed[operationId as keyof typeof needed]
      const isRefused = wants !== undefined && !(role === 'keyManager' && wants === role)
      if (!isRefused) continue
      const answer = await mine.ask(method, path(template), { body: '{' })
      assert.equal(codeOf(answer), '403 role_insufficient', operationId)
      assert.deepEqual(answer.json.error.details, { needed: wants, role })
      const [line] = await scene.manager.audit({ limit: 1 })
      assert.deepEqual([line?.act, line?.outcome, line?.who], [act, 'denied', `oidc:${person.email}`])
    }
    assert.equal(mine.session.operations.length, operations.length - (role === 'viewer' ? 10 : 7))
    for (const listing of ['/keys', '/connections', '/audit', '/status', '/vault', '/overview'])
      assert.equal((await mine.ask('GET', listing)).status, 200, listing)
  }
  const mine = await scene.signIn(ada)
  assert.equal(mine.session.operations.length, operations.length)
  assert.equal((await mine.ask('POST', '/connections/acme/check')).status, 200)
})

test('a viewer reads without personal data, and a key manager reads all', async (t) => {
  const scene = await openProviderScene(t)
  const target = '/apps/6446998001/beta-feedback-screenshot-submissions?limit=1'
  for (const [person, isShown] of [
    [ann, false],
    [kim, true],
  ] as const) {
    const { ask } = await scene.signIn(person)
    const { body } = (await ask('POST', '/read', { body: { connection: 'acme', target } })).json
    assert.equal('email' in body.items[0], isShown)
    const { json } = await ask('POST', '/plan', { body: { connection: 'acme', target } })
    assert.equal(JSON.stringify(json).includes('email'), isShown)
    const named = { body: { connection: 'acme', target: `${target}&fields=email` } }
    assert.equal((await ask('POST', '/plan', named)).status, isShown ? 200 : 403)
  }
})
