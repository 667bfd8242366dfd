// What is kept of builds on both real engines: that it goes when it should, and never with an image of an account.
import assert from 'node:assert/strict'
import { onEveryEngine, startContainer } from '../engines.ts'
import { type Rig, withRig } from './build-rig.ts'

const isCaching = { isCaching: true }
const options = { timeoutMs: 240_000 }

const kept = async ({ store, account }: Rig) => store.checkpoints.of(account)

onEveryEngine('without its checkpoints an image stays whole, and after the last image nothing of them is left', (at) =>
  withRig(at, async (rig) => {
    const lines = 'FROM base\nRUN echo one > /one\nRUN cat /one /one > /two'
    const first = await rig.ready(lines)
    const second = await rig.ready(`${lines}\nRUN echo three > /three`)
    assert.deepEqual(await rig.cachedIn(second), [2, 3])
    await rig.checkpoints.removeOf(rig.account)
    await rig.assertNothingLeft(first, second)
    assert.equal(await rig.within(second, 'cat /two /three'), 'one\none\nthree\n')
    const third = await rig.ready(lines)
    assert.deepEqual(await rig.cachedIn(third), [])
    for (const { id } of [first, third]) await rig.images.delete(rig.account, id)
    assert.equal((await kept(rig)).length, 2)
    await rig.images.delete(rig.account, second.id)
    assert.deepEqual(await kept(rig), [])
    await rig.assertNothingLeft()
    assert.deepEqual(await untagged(at), [])
  }, isCaching), options) // prettier-ignore

/** also what has no name any more */
async function untagged({ socket, instance }: { readonly socket: string; readonly instance: string }) {
  const { EngineClient } = await import('../../src/engine/client.ts')
  const client = new EngineClient(socket)
  const query = { all: '1', filters: JSON.stringify({ label: [`atelier.instance=${instance}`] }) }
  const reply = await client.call({ method: 'GET', path: '/images/json', query, timeoutMs: 30_000 })
  client.close()
  return JSON.parse(reply.text) as readonly unknown[]
}

onEveryEngine('an image that is deleted takes with it what builds kept on top of it', (at) =>
  withRig(at, async (rig) => {
    const below = await rig.ready('FROM base\nRUN echo below > /below')
    const above = await rig.ready(`FROM ${below.id}\nRUN cat /below > /above`)
    const [ofBase] = await rig.store.checkpoints.of(rig.account)
    assert.equal((await kept(rig)).length, 2)
    await rig.images.delete(rig.account, below.id)
    assert.deepEqual((await kept(rig)).map(({ id }) => id), [ofBase?.id]) // prettier-ignore
    await rig.assertNothingLeft(above, ofBase!)
    assert.equal(await rig.within(above, 'cat /below /above'), 'below\nbelow\n')
  }, isCaching), options) // prettier-ignore

onEveryEngine('what a container still stands on is refused by the engine, matches nothing, and goes with a later sweep', (at) =>
  withRig(at, async (rig) => {
    const lines = 'FROM base\nRUN echo one > /one'
    const image = await rig.ready(lines)
    const [row] = await kept(rig)
    const user = await startContainer(rig.engine, { kind: 'build', image: row!.engineId!, workingDir: '/' })
    assert.equal(await rig.checkpoints.drop(row!.id), false)
    assert.deepEqual((await kept(rig)).map(({ status }) => status), ['evicted']) // prettier-ignore
    const next = await rig.ready(lines)
    assert.deepEqual(await rig.cachedIn(next), [])
    await rig.images.reconcile()
    assert.ok((await kept(rig)).some(({ id }) => id === row!.id))
    await rig.engine.remove(user)
    await rig.images.reconcile()
    const rows = await kept(rig)
    assert.deepEqual([rows.length, rows[0]?.status, rows[0]?.id === row!.id], [1, 'ready', false])
    await rig.assertNothingLeft(image, next, ...rows)
  }, isCaching), options) // prettier-ignore

onEveryEngine('a checkpoint that the engine lost costs its steps alone', (at) =>
  withRig(at, async (rig) => {
    const lines = 'FROM base\nRUN echo one > /one\nRUN cat /one > /two'
    const first = await rig.ready(lines)
    const [one, two] = await kept(rig)
    await rig.engine.removeImage(first.id)
    await rig.engine.removeImage(two!.id)
    const second = await rig.ready(lines)
    assert.deepEqual(await rig.cachedIn(second), [2])
    await rig.engine.removeImage(second.id)
    for (const { id } of await kept(rig)) await rig.engine.removeImage(id)
    const third = await rig.ready(lines)
    assert.deepEqual(await rig.cachedIn(third), [])
    assert.equal(await rig.within(third, 'cat /two'), 'one\n')
    assert.ok(!(await kept(rig)).some(({ id }) => id === one!.id || id === two!.id))
  }, isCaching), options) // prettier-ignore
