import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

test('at its end the service takes no new work and ends commands; containers and detached commands go on', async (t) => {
  const { call, create, engine, key, rig } = await openUsedRig(t)
  const { body: made } = await create()
  const exec = (more: object = {}, headers = {}) =>
    call('POST', '/containers/exec', { key, headers, body: { containerId: made.id, command: ['hang'], ...more } })
  const { body: detached } = await exec({ detach: true })
  const [whole, lines] = [exec(), exec({}, { accept: 'application/x-ndjson' })]
  await until(() => engine.commandsOf(made.id).length === 3)
  const beganAt = performance.now()
  const closed = rig.service.close()
  const answer = await whole
  assert.deepEqual([answer.status, answer.body.error.type], [503, 'shutting_down'])
  const last = (await lines).text.trimEnd().split('\n').map((line) => JSON.parse(line)).at(-1) // prettier-ignore
  assert.deepEqual([last.type, last.error.type], ['error', 'shutting_down'])
  await closed
  assert.ok(performance.now() - beganAt < 10_000)
  assert.deepEqual(engine.commandsOf(made.id).map(({ id }) => id), [detached.execId]) // prettier-ignore
  assert.equal(engine.containers.get(made.id)?.isRunning, true)
  await assert.rejects(call('GET', '/healthz'))
})

test('at most as many commands run as the limits say, and a place is free when its command has ended', async (t) => {
  const { call, create, engine, key } = await openUsedRig(t, {
    settings: { limits: { execsPerContainer: 2, execs: 3 } },
  })
  const [{ body: one }, { body: two }] = [await create(), await create()]
  const exec = (containerId: string, command: string[]) => call('POST', '/containers/exec', { key, body: { containerId, command } }) // prettier-ignore
  const running = [one.id, one.id, two.id].map((id) => exec(id, ['hang']))
  await until(() => engine.commandsOf(one.id).length + engine.commandsOf(two.id).length === 3)
  for (const id of [one.id, two.id]) {
    const { status, body, headers } = await exec(id, ['say', 'x'])
    assert.deepEqual([status, body.error.type], [429, 'exec_limit'])
    assert.ok(headers['retry-after'])
  }
  for (const id of [one.id, two.id]) for (const { end } of engine.commandsOf(id)) end(143)
  assert.deepEqual((await Promise.all(running)).map(({ body }) => [body.exitCode, body.signal]), Array.from({ length: 3 }, () => [143, 'TERM'])) // prettier-ignore
  await until(async () => (await exec(one.id, ['say', 'x'])).body.stdout === 'x')
  const missing = await exec(one.id, ['missing'])
  assert.deepEqual([missing.status, missing.body.error.type, missing.body.error.details.reason], [422, 'exec_start_failed', 'not_found']) // prettier-ignore
})

test('output of which the engine may have lost the end is flagged, whole and as a stream', async (t) => {
  const { call, create, key } = await openUsedRig(t)
  const { body: made } = await create()
  const exec = (command: string[], headers = {}) =>
    call('POST', '/containers/exec', { key, headers, body: { containerId: made.id, command } })
  for (const [program, isCut] of [
    ['say', false],
    ['cut', true],
  ] as const) {
    const { body } = await exec([program, 'x'])
    assert.deepEqual([body.stdout, body.stdoutTruncated, body.stderrTruncated, body.exitCode], ['x', isCut, isCut, 0])
    const { text } = await exec([program, 'x'], { accept: 'application/x-ndjson' })
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
    assert.deepEqual([last.type, last.stdoutTruncated, last.stderrTruncated], ['exit', isCut || undefined, isCut || undefined]) // prettier-ignore
  }
})
