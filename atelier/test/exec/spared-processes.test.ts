import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { onEveryWay } from '../engines.ts'
import { commandsOn, openContainer, processes } from './command-rig.ts'

onEveryWay('a process that forged the mark of the container at once is not overlooked', async (given) => {
  const { engine, way } = given
  const { commands, escalated } = commandsOn(given)
  const at = await openContainer(given, commands, { withOther: false })
  const usual = way === 'resident' ? await processes(engine, at.id) : []
  const { command, release } = await at.start('env -i ATELIER_EXEC=init PATH=/bin setsid sleep 1000 & wait')
  await pause(100)
  command.kill('timeout')
  await command.killing
  await release()
  if (way === 'resident') return assert.deepEqual(await processes(engine, at.id), usual)
  assert.ok(escalated.has(at.id))
  assert.equal((await engine.state(at.id))?.running, false)
})

onEveryWay('what a command that ended by itself left behind outlives the kill of another one', async (given) => {
  const { engine } = given
  const { commands, escalated } = commandsOn(given)
  const at = await openContainer(given, commands)
  const earlier = await at.start('setsid sh -c ": BYSTANDER; sleep 88888; :" >/dev/null 2>&1 & exit 0')
  for await (const _ of earlier.command.output());
  await earlier.release()
  const usual = await processes(engine, at.id)
  const { command, release } = await at.start('sleep 1000 & sleep 1000')
  await pause(100)
  command.kill('timeout')
  await command.killing
  await release()
  assert.ok(!escalated.has(at.id))
  assert.deepEqual(await processes(engine, at.id), usual)
})
