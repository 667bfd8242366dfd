// Kills commands that do what they can to outlive it: nothing of them is left, and other commands go on.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { untilEqual } from '../../../base/test/until.ts'
import { makeTree } from '../exec/process-trees.ts'
import { type Client, whole } from './client.ts'
import { hostilePrograms } from './hostile-programs.ts'
import { openAt, type Opened, type Place, places } from './own-user.ts'

const seeds = process.env['ATELIER_SEED'] ? [Number(process.env['ATELIER_SEED'])] : Array.from({ length: process.env['ATELIER_LONG'] ? 1000 : 30 }, (_, n) => n + 1) // prettier-ignore

/** a command that must not be touched, and the processes there are with it */
async function startBystander({ client, ids }: Opened) {
  client.start(999, ['sh', '-c', 'sleep 99999 & setsid sleep 99999 & echo ready; wait; sleep 99999'])
  await client.next(999, 'output')
  return ids()
}

/** zombies go a moment later */
const settleTo = ({ ids }: Opened, expected: readonly number[], message: string) =>
  untilEqual(async () => ids(), expected, message)

async function killAfter(client: Client, command: number, ms: number) {
  await client.next(command, 'started')
  await pause(ms)
  client.send(7, command)
  await client.next(command, 'killed')
}

function inPlace(place: Place) {
  const title = (promise: string) => `${place.name}: ${promise}`
  const options = { skip: place.skip, timeout: 120_000 }

  test(title('random process trees are killed whole'), options, async (t) => {
    const opened = openAt(t, place)
    const { client } = opened
    const usual = await startBystander(opened)
    for (const seed of seeds) {
      const { script } = makeTree(seed)
      client.start(seed, ['sh', '-c', script])
      await killAfter(client, seed, (seed % 8) * 15)
      await settleTo(opened, usual, `seed ${seed}\n${script}`)
    }
  })

  for (const [name, { argv, ms, processes }] of Object.entries(hostilePrograms))
    test(title(`${name} is killed`), options, async (t) => {
      const opened = openAt(t, place, processes)
      const { client } = opened
      const usual = await startBystander(opened)
      for (let round = 1; round <= 3; round++) {
        client.start(round, argv)
        await killAfter(client, round, ms)
        await settleTo(opened, usual, name)
      }
      client.start(77, ['echo', 'still here'])
      assert.equal((await whole(client, 77)).stdout, 'still here\n')
    })

  test(title('all hostile programs at once are killed'), options, async (t) => {
    const opened = openAt(t, place, 400)
    const { client } = opened
    const usual = await startBystander(opened)
    const all = Object.values(hostilePrograms)
    for (const [at, { argv }] of all.entries()) client.start(at + 1, argv)
    for (const [at] of all.entries()) await client.next(at + 1, 'started', 'failed')
    for (const [at] of all.entries()) client.send(7, at + 1)
    for (const [at] of all.entries()) await client.next(at + 1, 'killed')
    await settleTo(opened, usual, 'all')
  })
}

for (const place of places) inPlace(place)
