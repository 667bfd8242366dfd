// A request whose body takes long ends with its key, and work for a caller who has left is not done.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { hashPassword, isPassword } from '../../src/accounts/passwords.ts'
import { openUsedRig } from '../service-rig.ts'

const form = 'multipart/form-data; boundary=x'
const spec = JSON.stringify({ name: 'a', dockerfile: 'FROM base\nCOPY a /a\n' })
const context = '--x\r\nContent-Disposition: form-data; name="context"\r\nContent-Type: application/x-tar\r\n\r\n'
const firstPart = `--x\r\nContent-Disposition: form-data; name="spec"\r\nContent-Type: application/json\r\n\r\n${spec}\r\n`

interface Begun {
  readonly path: string
  readonly type: string
  /** of the body, which never ends */
  readonly begins: string
  readonly isRepeatable?: true
}

const begun: Readonly<Record<string, Begun>> = {
  'a JSON body': { path: '/containers/exec', type: 'application/json', begins: '{"containerId":' },
  'a form with a spec': { path: '/images', type: form, begins: firstPart.slice(0, 90) },
  'a form with a context': { path: '/images', type: form, begins: `${firstPart}${context}` },
  'a repeatable form': { path: '/images', type: form, begins: `${firstPart}${context}`, isRepeatable: true },
}

for (const [title, { path, type, begins, isRepeatable }] of Object.entries(begun))
  for (const end of ['key', 'service'] as const)
    test(`${title} that is still coming is refused when the ${end} ends, and nothing is made of it`, async (t) => {
      const { rig, account, key, keyId } = await openUsedRig(t)
      const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': '10000' }
      const more = isRepeatable && { 'idempotency-key': 'one' }
      const url = `${rig.service.url}${path}`
      const req = request(url, { method: 'POST', agent: false, headers: { ...headers, ...more } })
      req.write(begins)
      const answer = new Promise<[number, string]>((ok, no) => {
        req.on('error', no).on('response', (res) => {
          const parts: Buffer[] = []
          res.on('data', (part: Buffer) => parts.push(part))
          res.on('end', () => ok([res.statusCode ?? 0, JSON.parse(Buffer.concat(parts).toString()).error.type]))
        })
      })
      // only this request uses the key
      await until(async () => (await rig.service.core.store.keys.find(account, keyId))?.lastUsedAt !== null)
      const closed = end === 'key' ? rig.service.core.keys.revoke(account, keyId) : rig.service.close()
      assert.deepEqual(await answer, end === 'key' ? [401, 'unauthorized'] : [503, 'shutting_down'])
      req.destroy()
      await closed
      if (end === 'service') return
      const { text: other } = await rig.key(account)
      assert.deepEqual((await rig.call('GET', '/images?scope=own', { key: other })).body.items, [])
    })

test('no password is computed for a caller who leaves before the turn has come', async () => {
  const stored = await hashPassword('correct horse battery')
  const first = Array.from({ length: 4 }, () => isPassword('correct horse battery', stored))
  const gone = new AbortController()
  const left = Array.from({ length: 64 }, () => isPassword('correct horse battery', stored, gone.signal))
  assert.equal(await isPassword('correct horse battery', stored), 'busy')
  gone.abort(new Error('left'))
  assert.ok((await Promise.allSettled(left)).every(({ status }) => status === 'rejected'))
  // all places of those who left are free, while the first four are still at work
  const next = isPassword('correct horse battery', stored)
  assert.deepEqual(await Promise.all([...first, next]), [true, true, true, true, true])
  await assert.rejects(isPassword('correct horse battery', stored, gone.signal), /left/)
})
