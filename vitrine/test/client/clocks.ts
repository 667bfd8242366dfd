// Times of the client: waits before retries, deadlines and aborts.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import test from 'node:test'
import type { Script } from '../support/scripted-platform.ts'
import { app, busy, inTurn, type Load, script, thrown, skipRetryWaits } from './scene.ts'

const never: Script = () => {}

export function promiseClocks(of: string, load: Load) {
  test(`${of}: a retry waits as long as Retry-After says`, async (t) => {
    const cameAt: number[] = []
    const { vitrine, service } = await script(t, await load(), (call, res) => {
      cameAt.push(performance.now())
      return inTurn(...(cameAt.length === 1 ? [busy({ 'retry-after': '1' })] : [app]))(call, res)
    })
    await vitrine.listApps()
    assert.equal(service.calls.length, 2)
    assert.ok((cameAt[1] ?? 0) - (cameAt[0] ?? 0) >= 990)
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    service.script = busy({ 'retry-after': inAMinute })
    const { retryAfterSec } = await thrown(vitrine.listApps({}, { retries: 0 }))
    assert.ok(retryAfterSec > 55 && retryAfterSec <= 60, String(retryAfterSec))
    for (const nonsense of ['soon', '-5', '2020', '']) {
      service.script = busy({ 'retry-after': nonsense }, 500)
      const { retryAfterSec: read } = await thrown(vitrine.listApps())
      assert.equal(read, nonsense === '2020' ? 2020 : undefined, nonsense)
    }
  })

  test(`${of}: if the wait for a retry exceeds the deadline, the error is thrown at once`, async (t) => {
    const { vitrine, service } = await script(t, await load(), busy({ 'retry-after': '60' }), { timeoutMs: 20_000 })
    const error = await thrown(vitrine.listApps())
    assert.deepEqual([error.name, error.retryAfterSec], ['OverloadedError', 60])
    assert.equal(service.calls.length, 1)
  })

  test(`${of}: the deadline covers the whole call, also with a fetch that ignores its signal`, async (t) => {
    skipRetryWaits(t)
    const { vitrine, service } = await script(t, await load(), inTurn(busy(), never), { timeoutMs: 300 })
    const error = await thrown(vitrine.listApps())
    assert.equal(error.name, 'DeadlineError')
    assert.equal(error.message, 'There was no answer within 300 ms. The last failure before that: Words.')
    assert.equal(service.calls.length, 2)
    const deaf = await script(t, await load(), never, { fetch: () => new Promise(() => {}), timeoutMs: 20_000 })
    const own = await thrown(deaf.vitrine.listApps({}, { timeoutMs: 50 }))
    assert.deepEqual([own.name, own.message], ['DeadlineError', 'There was no answer within 50 ms.'])
    service.script = (_, res) => void res.writeHead(200).write('{"items"')
    assert.equal((await thrown(vitrine.listApps())).name, 'DeadlineError')
  })

  test(`${of}: a finished call leaves no timer that keeps the process alive`, async (t) => {
    const { vitrine } = await script(t, await load(), app, { fetch: async () => Response.json({ id: '1' }) })
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    await vitrine.getEvent({ eventId: '1' })
    assert.equal(timers(), before)
  })

  test(`${of}: an aborted call throws the reason of the signal, of the instance or of the call, and leaves nothing behind`, async (t) => {
    const reason = new Error('enough')
    for (const whose of ['instance', 'call']) {
      const stop = new AbortController()
      const asked = Promise.withResolvers<void>()
      const { vitrine, service } = await script(t, await load(), () => asked.resolve(), {
        ...(whose === 'instance' && { signal: stop.signal }),
      })
      const work = thrown(vitrine.listApps({}, whose === 'call' ? { signal: stop.signal } : {}))
      await asked.promise
      assert.equal(getEventListeners(stop.signal, 'abort').length, 1)
      stop.abort(reason)
      assert.equal(await work, reason)
      assert.equal(getEventListeners(stop.signal, 'abort').length, 0)
      assert.equal(await thrown(vitrine.listApps({}, { signal: stop.signal })), reason)
      assert.equal(service.calls.length, 1, 'nothing is sent for a signal that was given before')
    }
    const stop = new AbortController()
    const { vitrine } = await script(t, await load(), (call, res) => {
      setImmediate(() => stop.abort('while it waits'))
      return busy({ 'retry-after': '20' })(call, res)
    })
    assert.equal(await thrown(vitrine.listApps({}, { signal: stop.signal })), 'while it waits')
  })
}
