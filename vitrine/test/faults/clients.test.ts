// Callers from another version of the service. Callers who disconnect: test/http/disconnects.test.ts and
// test/http/shared-reads.test.ts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { associate, seal, unseal } from '../../../base/core/seal.ts'
import { openStore } from '../../src/store/open.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

/** a list that always has a next page, whose item is named for the page */
const endless: Script = (call, res) => {
  const at = Number(call.query.get('cursor') ?? 0)
  const next = `${call.url.replace(/&cursor=.*/, '')}&cursor=${at + 1}`
  send(res, { data: [{ type: 'apps', id: `app${at}`, attributes: {} }], links: { next } })
}

test('F185: a cursor of another version is 400 without a platform call, and one of this version still works', async (t) => {
  const { service, platform, close } = await startScripted(endless)
  t.after(close)
  const store = await openStore(`sqlite:${service.folder}/v.db`)
  const key = await store.secret('cursor')
  await store.close()
  const version = (n: number) => associate(`vitrine cursor ${n}`)
  const { nextCursor } = (await service.ask('/apps')).json
  const bytes = Buffer.from(nextCursor, 'base64url')
  const plain = unseal(key, version(2), bytes)
  assert.ok(plain)
  const made = (n: number, content: Uint8Array) => seal(key, version(n), content)
  const ask = async (cursor: Buffer) => service.ask(`/apps?cursor=${cursor.toString('base64url')}`)
  // a valid cursor; each form below differs from it only in its version
  const good = await ask(made(2, plain))
  assert.deepEqual([good.status, good.json.items], [200, [{ id: 'app1' }]])

  platform.calls.length = 0
  const now = Buffer.alloc(8)
  now.writeBigUInt64BE(BigInt(Date.now()))
  const others: Record<string, [cursor: Buffer, code: string]> = {
    'the version before': [made(1, plain), 'cursor_invalid'],
    'the next version': [made(3, plain), 'cursor_invalid'],
    'no version at all': [seal(key, Buffer.alloc(0), plain), 'cursor_invalid'],
    'another format of sealing': [Buffer.concat([Buffer.of(2), bytes.subarray(1)]), 'cursor_invalid'],
    'another cipher’s nonce': [
      Buffer.concat([bytes.subarray(0, 13), Buffer.alloc(12), bytes.subarray(13)]),
      'cursor_invalid',
    ],
    'a longer time in front': [made(2, Buffer.concat([now, plain.subarray(4)])), 'cursor_mismatch'],
    'one field less': [made(2, plain.subarray(4)), 'cursor_mismatch'],
    'nothing but JSON': [Buffer.from(JSON.stringify({ cursor: '1', route: 'listApps', version: 3 })), 'cursor_invalid'],
  }
  for (const [what, [cursor, code]] of Object.entries(others)) {
    const { status, json } = await ask(cursor)
    assert.deepEqual(
      [status, json.error.type, json.error.code, json.error.param],
      [400, 'invalid_query', code, 'cursor'],
      what,
    )
  }
  assert.equal(platform.calls.length, 0)
  assert.deepEqual((await ask(bytes)).json.items, [{ id: 'app1' }])
})
