// Operators of a cluster: they create keys and connections at one replica, have them used at all, remove them at another, and
// try them for a while afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import { keyCanaries } from '../support/canaries.ts'
import { ask, type Told } from './request.ts'
import { accountOf } from './cluster.ts'
import { endpointsOf, idsOf, type Scene } from './load.ts'
import type { Replica } from './replica.ts'

/** how long removed keys are tried */
const triedMs = 2_500

async function act(scene: Scene, method: string, path: string, body?: object): Promise<Told> {
  const { cluster, checks, chance } = scene
  const replica: Replica = chance.pick(cluster.replicas)
  const told = await cluster.act(replica, method, path, body)
  checks.acts.answered(`operator endpoint of ${replica.name}`, told)
  return told
}

/** uses one key and one connection through every endpoint until the time is over */
async function use(scene: Scene, key: { id: string; key: string }, connection: string, forMs: number) {
  const { cluster, checks, chance, signal } = scene
  const endsAt = performance.now() + forMs
  await Promise.all(
    endpointsOf(cluster).map(async ({ name, url }) => {
      do {
        const told = await ask(url + idsOf(connection, `used${chance.below(8)}`, '5'), key.key)
        checks.answers.answered(name, told)
        const things = [`key ${key.id}`, `connection ${connection}`]
        checks.takenAway.used({ things, replica: name, status: told.status, sentAt: told.sentAt })
        await sleep(80 + chance.below(60))
      } while (performance.now() < endsAt && !signal.aborted)
    }),
  )
}

/** Repeats the act if its outcome is unknown, or if the answer says that a replica could not be reached. */
async function takeAway(scene: Scene, thing: string, path: string) {
  while (!scene.signal.aborted) {
    const { status, json, doneAt } = await act(scene, 'DELETE', path)
    // removed by an act whose answer was lost, so it was not acknowledged
    if (status === 404) return
    if (status === 200 && json.untoldUntil === null) return scene.checks.takenAway.acknowledged(thing, doneAt)
    await sleep(200)
  }
}

export async function keepRevoking(scene: Scene) {
  while (!scene.signal.aborted) {
    const made = await act(scene, 'POST', '/keys', { name: 'short-lived', connections: ['wide'] })
    if (made.status === 201) {
      const key: { id: string; key: string } = made.json
      scene.cluster.canaries.push(...keyCanaries('a key', key.key))
      await use(scene, key, 'wide', 600)
      const trying = use(scene, key, 'wide', triedMs)
      await takeAway(scene, `key ${key.id}`, `/keys/${key.id}`)
      await trying
      await use(scene, key, 'wide', triedMs)
    }
    await sleep(100)
  }
}

let connections = 0

export async function keepReplacing(scene: Scene, key: { id: string; key: string }) {
  while (!scene.signal.aborted) {
    const id = `c${connections++}`
    const account = accountOf(id)
    if ((await act(scene, 'POST', '/connections', account)).status === 201) {
      await use(scene, key, id, 600)
      const { id: _, ...fresh } = account
      await act(scene, 'POST', `/connections/${id}/credentials`, { ...fresh, keyId: 'REPLACED01' })
      await use(scene, key, id, 600)
      const trying = use(scene, key, id, triedMs)
      await takeAway(scene, `connection ${id}`, `/connections/${id}`)
      await trying
      await use(scene, key, id, triedMs)
    }
    await sleep(100)
  }
}
