// Kills hostile process trees on real engines: nothing of them is left, and no other command is touched. With ATELIER_LONG=1
// there are 1,000 trees. A seed that fails is in the message; ATELIER_SEED runs that one alone.
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { onEveryWay } from '../engines.ts'
import { commandsOn, openContainer, processes } from './command-rig.ts'
import { makeTree } from './process-trees.ts'

const count = process.env['ATELIER_LONG'] ? 1_000 : 30
const seeds = process.env['ATELIER_SEED'] ? [Number(process.env['ATELIER_SEED'])] : Array.from({ length: count }, (_, n) => n + 1) // prettier-ignore

onEveryWay(
  'hostile process trees are killed whole, and no other command is touched',
  async (given) => {
    const { engine, way } = given
    const { commands, escalated } = commandsOn(given)
    let at = await openContainer(given, commands)
    let stopped = 0
    for (const seed of seeds) {
      const { script, mayEscalate } = makeTree(seed)
      const place = `seed ${seed}\n${script}`
      const { command, release } = await at.start(script)
      void (async () => {
        for await (const _ of command.output());
      })()
      await pause(100 + (seed % 4) * 50)
      const beganAt = performance.now()
      command.kill('timeout')
      await command.killing
      assert.ok(performance.now() - beganAt < 5_000, `${performance.now() - beganAt} ms: ${place}`)
      await release()
      if (escalated.has(at.id)) {
        assert.ok(mayEscalate, `the container was stopped: ${place}`)
        assert.equal((await engine.state(at.id))?.running, false, place)
        stopped++
        await engine.remove(at.id)
        at = await openContainer(given, commands)
      } else {
        const left = await processes(engine, at.id)
        assert.deepEqual(left, at.usual, place)
      }
    }
    // the resident tells by the parents of a process whose it is, and no forged mark deceives it
    if (way === 'resident') assert.equal(stopped, 0)
    else if (seeds.length > 1) assert.ok(stopped > 0 && stopped < seeds.length / 3, `${stopped} stopped`)
  },
  { timeoutMs: 30 * 60_000 },
)
