// How many residents a container may have: each costs a process in it, and one of the engine.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from '../../../src/engine/port.ts'
import { ResidentConnections } from '../../../src/exec/resident/connections.ts'
import { exit, lossError, ScriptedResident, template } from './scripted-resident.ts'

function engineOfResidents() {
  const residents: ScriptedResident[] = []
  const engine = {
    resident: async () => ({ isFirst: false, user: '1000:1000', readsFiles: true }),
    async open() {
      const resident = new ScriptedResident()
      residents.push(resident)
      setImmediate(() => resident.sayHello())
      return resident.channel
    },
  }
  const connections = new ResidentConnections(engine as unknown as Engine, async () => lossError)
  const open = () => residents.filter(({ isClosed }) => !isClosed).length
  return { connections, residents, open }
}

const placeOf = (user: number, container = 'ct_1') => ({ container, user: `${user}:${user}` })

test('commands of 150 users one after the other leave at most 8 residents in a container', async () => {
  const { connections, residents, open } = engineOfResidents()
  for (let user = 0; user < 150; user += 1) {
    const connection = await connections.to(placeOf(user))
    connection?.start(`ex_${user}`, template, false)
    residents.at(-1)?.send(exit(1))
    assert.ok(open() <= 8, `${open()} after ${user + 1}`)
  }
  assert.equal(residents.length, 150)
})

test('a resident with a command is not closed for another user, whose command the engine then starts', async () => {
  const { connections, residents, open } = engineOfResidents()
  for (let user = 0; user < 8; user += 1) (await connections.to(placeOf(user)))?.start(`ex_${user}`, template, false)
  assert.equal(await connections.to(placeOf(8)), undefined)
  assert.ok(await connections.to(placeOf(8, 'ct_2')))
  residents[3]?.send(exit(1))
  await nextTurn()
  assert.ok(await connections.to(placeOf(8)))
  assert.deepEqual([residents[3]?.isClosed, open()], [true, 9])
})
