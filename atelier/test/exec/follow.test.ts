import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { Atelier } from '../../client/atelier.ts'
import { makeId } from '../../src/ids.ts'
import { type Called, openUsedRig, type RigOptions } from '../service-rig.ts'

const ndjson = { accept: 'application/x-ndjson' }
const linesOf = ({ text }: Pick<Called, 'text'>): any[] => text.trimEnd().split('\n').map((line) => JSON.parse(line)) // prettier-ignore
const seqs = (lines: readonly any[]) => lines.flatMap(({ seq, data }) => (seq ? [[seq, data]] : []))

async function openScene(t: TestContext, options: RigOptions = {}) {
  const scene = await openUsedRig(t, options)
  const { body: made } = await scene.create()
  const run = (body: object = {}, more: object = {}) =>
    scene.call('POST', '/containers/exec', {
      key: scene.key,
      body: { containerId: made.id, command: ['hang'], ...body },
      ...more,
    })
  const follow = (id: string, after = '', more: object = {}) =>
    scene.call('GET', `/containers/exec?id=${id}${after}`, { key: scene.key, ...more })
  const commandOf = (id: string) => {
    const found = scene.engine.commandsOf(made.id).find((one) => one.id === id)
    assert.ok(found)
    return found
  }
  return { ...scene, container: made.id as string, run, follow, commandOf }
}

test('the output of a detached command can be followed to its end, from any line, and again after it', async (t) => {
  const { run, follow, commandOf } = await openScene(t)
  const { status, body } = await run({ detach: true })
  assert.equal(status, 202)
  const command = commandOf(body.execId)
  command.say('one')
  const following = [follow(body.execId), follow(body.execId, '&after=1')]
  command.say('two')
  command.end(3)
  for (const [index, lines] of [...(await Promise.all(following)), await follow(body.execId)].map(linesOf).entries()) {
    assert.deepEqual([lines[0].type, lines[0].execId], ['start', body.execId])
    const all = [[1, 'one'], [2, 'two']] // prettier-ignore
    assert.deepEqual(seqs(lines), index === 1 ? all.slice(1) : all)
    const { type, exitCode, stdoutBytes, stderrBytes } = lines.at(-1)
    assert.deepEqual([type, exitCode, stdoutBytes, stderrBytes], ['exit', 3, 6, 0])
  }
})

test('a follower is told which lines fell out of memory', async (t) => {
  const { run, follow, commandOf } = await openScene(t, { settings: { limits: { keptBytesPerCommand: 3_500 } } })
  const { body } = await run({ detach: true })
  const command = commandOf(body.execId)
  for (let n = 0; n < 10; n++) command.say(`${n}`.repeat(1_000))
  command.end(0)
  await until(async () => linesOf(await follow(body.execId)).at(-1).type === 'exit')
  const [, lost, ...rest] = linesOf(await follow(body.execId, '&after=2'))
  assert.deepEqual(lost, { type: 'lost', firstSeq: 3, lastSeq: 7 })
  assert.deepEqual(seqs(rest).map(([seq]) => seq), [8, 9, 10]) // prettier-ignore
})

test("another account's command is as absent as one that never was, and a key needs the scope", async (t) => {
  const { run, follow, rig, account } = await openScene(t)
  const { body } = await run({ detach: true })
  const { text: other } = await rig.key(await rig.account())
  const { text: weak } = await rig.key(account, ['files'])
  const shown = async (id: string, key: string) => {
    const { status, body: answer } = await follow(id, '', { key })
    return [status, { ...answer.error, requestId: '' }]
  }
  const theirs = await shown(body.execId, other)
  assert.deepEqual(theirs, await shown(makeId('ex'), other))
  assert.deepEqual([theirs[0], theirs[1].type], [404, 'exec_not_found'])
  assert.equal((await shown(body.execId, weak))[0], 403)
})

test('with onDisconnect keep a command outlives its caller, and its output is not lost', async (t) => {
  const { run, follow, rig, engine, container, commandOf } = await openScene(t)
  for (const onDisconnect of ['kill', 'keep']) {
    const gone = new AbortController()
    const answer = run({ onDisconnect }, { headers: ndjson, signal: gone.signal })
    await until(() => engine.commandsOf(container).length === 1)
    const [{ id } = { id: '' }] = engine.commandsOf(container)
    commandOf(id).say('before')
    gone.abort()
    await assert.rejects(answer)
    if (onDisconnect === 'kill') {
      await until(() => engine.commandsOf(container).length === 0)
      assert.equal((await follow(id)).status, 404)
      continue
    }
    const command = commandOf(id)
    const left = () => rig.service.events.filter((one) => one.kind === 'served' && one.operation === 'runCommand')
    await until(() => left().length === 2)
    const following = follow(id)
    command.say('after')
    command.end(0)
    const lines = linesOf(await following)
    assert.equal(seqs(lines).map(([, data]) => data).join(), 'before,after') // prettier-ignore
    assert.equal(lines.at(-1).type, 'exit')
  }
})

test('a kept command has the timeout that was given, and ends with its key as long as its caller is there', async (t) => {
  const { run, follow, engine, container, rig, account, keyId } = await openScene(t)
  const { text: second } = await rig.key(account)
  const timed = linesOf(await run({ onDisconnect: 'keep', timeoutSeconds: 1 }, { headers: ndjson })).at(-1)
  assert.deepEqual([timed.type, timed.timedOut, timed.signal], ['exit', true, 'KILL'])
  const answer = run({ onDisconnect: 'keep' }, { headers: ndjson })
  await until(() => engine.commandsOf(container).length === 1)
  const [{ id } = { id: '' }] = engine.commandsOf(container)
  await rig.service.core.keys.revoke(account, keyId)
  assert.equal(linesOf(await answer).at(-1).error.type, 'unauthorized')
  await until(() => engine.commandsOf(container).length === 0)
  assert.equal(linesOf(await follow(id, '', { key: second })).at(-1).error.type, 'unauthorized')
})

test('without a query the path has no GET, as in the contract', async (t) => {
  const { call, key } = await openScene(t)
  const { status, headers, body } = await call('GET', '/containers/exec', { key })
  assert.deepEqual([status, headers['allow'], body.error.type], [405, 'POST', 'method_not_allowed'])
  assert.equal((await call('GET', '/containers/exec?after=1', { key })).status, 400)
})

test('what cannot be kept is refused: without a stream, and with detach', async (t) => {
  const { run } = await openScene(t)
  for (const body of [{ onDisconnect: 'keep' }, { onDisconnect: 'keep', detach: true }]) {
    const { status, body: answer } = await run(body)
    assert.deepEqual([status, answer.error.details.field], [400, 'onDisconnect'])
  }
})

test('the output of a command is gone with its container, and after a restart of the service', async (t) => {
  const { run, follow, rig, call, key, container } = await openScene(t)
  const { body: one } = await run({ detach: true })
  await rig.restart()
  assert.equal((await follow(one.execId)).status, 404)
  const { body: two } = await run({ detach: true })
  const events = new Atelier({ url: rig.service.url, key }).followCommand({ id: two.execId })
  assert.equal((await events.next()).value?.type, 'start')
  assert.equal((await call('DELETE', `/containers?id=${container}`, { key })).status, 200)
  await assert.rejects(events.next(), { type: 'exec_outcome_unknown', details: { reason: 'container_ended' } })
  assert.equal((await follow(two.execId)).status, 404)
})

test('the typed client follows a command', async (t) => {
  const { run, key, rig, commandOf } = await openScene(t)
  const { body } = await run({ detach: true })
  const command = commandOf(body.execId)
  command.say('x')
  command.end(0)
  const events = []
  const atelier = new Atelier({ url: rig.service.url, key })
  for await (const { type } of atelier.followCommand({ id: body.execId })) events.push(type)
  assert.deepEqual(events, ['start', 'stdout', 'exit'])
})
