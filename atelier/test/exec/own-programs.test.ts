// Programs of the service itself in a container, which another program can hold up: the service stops waiting, and kills them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import { LightAbort } from '../../../base/core/abort.ts'
import { type Engine, EngineError, type EngineExec, type OutputChunk } from '../../src/engine/port.ts'
import { createArchives } from '../../src/exec/archives.ts'
import { createMemoryKills } from '../../src/exec/memory-kills.ts'
import { createRunningCommands } from '../../src/exec/running-commands.ts'
import type { CommandStarter } from '../../src/exec/starter.ts'

const place = { container: 'ct_1', path: '/tmp/f', uid: 1000, gid: 1000 }

/** a container whose programs put this out and are stopped then, until they are killed */
function stoppedAfter(...chunks: readonly string[]) {
  const running = createRunningCommands()
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const kills: { readonly id: string; readonly user: string; readonly others: readonly string[] }[] = []
  const ids: string[] = []
  async function* output(): AsyncGenerator<OutputChunk> {
    for (const text of chunks) yield { stream: 'stdout', data: Buffer.from(text) }
    started.resolve()
    await ended.promise
  }
  const exec = { output: output(), exitCode: async () => 137, drain: () => {}, leave: ended.resolve }
  const starter: CommandStarter = {
    start: async (id) => (ids.push(id), exec as unknown as EngineExec),
    kill: async ({ id, user }, _, others) => (kills.push({ id, user, others: others.running }), 'gone'),
    killUnknown: async () => {},
  }
  const engine = { resident: async () => ({ readsFiles: true }) } as unknown as Engine
  return { running, kills, ids, started: started.promise, ended: ended.promise, starter, engine }
}

test('a reader that puts nothing out for a minute is killed, and its caller gets a timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const parts = stoppedAfter()
  const opened = createArchives(parts)(place, new LightAbort())
  const failed = assert.rejects(opened, (error) => error instanceof EngineError && error.fault === 'timeout')
  await parts.started
  t.mock.timers.tick(59_000)
  assert.deepEqual(parts.kills, [])
  assert.deepEqual(parts.running.of(place.container), parts.ids)
  t.mock.timers.tick(1_000)
  await failed
  assert.deepEqual(parts.kills, [{ id: parts.ids[0], user: '1000:1000', others: [] }])
  await parts.ended
  assert.deepEqual(parts.running.of(place.container), [])
})

test('a caller who leaves before the first byte does not wait for the reader', async () => {
  const parts = stoppedAfter()
  const signal = new LightAbort()
  const opened = createArchives({ ...parts, starter: { ...parts.starter, kill: () => new Promise(() => {}) } })
  const failed = assert.rejects(opened(place, signal), /gone/)
  await parts.started
  signal.abort(new Error('gone'))
  await failed
})

test('a tar that is destroyed while its reader stands still closes at once, and the reader is killed', async () => {
  const parts = stoppedAfter('part of a tar')
  const tar = await createArchives(parts)(place, new LightAbort())
  assert.equal(String(await once(tar, 'data')), 'part of a tar')
  await parts.started
  tar.destroy()
  await once(tar, 'close')
  assert.deepEqual(parts.kills, [{ id: parts.ids[0], user: '1000:1000', others: [] }])
  await parts.ended
  assert.deepEqual(parts.running.of(place.container), [])
})

test('the program that reads the count of kills is noted while it runs, and killed if it does not end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const parts = stoppedAfter('oom_kill 3\n')
  parts.running.note(place.container, 'ex_other')
  const looked = createMemoryKills(parts).look(place.container)
  await parts.started
  assert.deepEqual(parts.running.of(place.container), ['ex_other', ...parts.ids])
  t.mock.timers.tick(2_000)
  await looked
  assert.deepEqual(parts.kills, [{ id: parts.ids[0], user: '0:0', others: ['ex_other'] }])
  await parts.ended
  assert.deepEqual(parts.running.of(place.container), ['ex_other'])
})
