import assert from 'node:assert/strict'
import type { Containers } from '../../src/containers/containers.ts'
import { finish } from '../../src/exec/finish.ts'
import { onEveryWay } from '../engines.ts'
import { commandsOn, openContainer } from './command-rig.ts'

/** holds 300 MiB in one line, in a container of 128 MiB */
const greedy = 'head -c 300000000 /dev/zero | tr "\\0" x | sort >/dev/null'

onEveryWay('a command that the kernel kills for its memory says so, and a later kill -9 does not', async (given) => {
  const { engine } = given
  const { commands } = commandsOn(given)
  const at = await openContainer(given, commands, { withOther: false })
  const parts = { engine, commands, containers: {} as Containers }
  const end = async (script: string) => {
    const { command, release } = await at.start(script)
    for await (const _ of command.output());
    const { exitCode, oomKilled } = await finish(command, at.id, undefined, parts)
    await release()
    return [exitCode, oomKilled]
  }
  assert.deepEqual(await end('kill -9 $$'), [137, null])
  assert.deepEqual(await end(greedy), [137, true])
  assert.deepEqual(await end('kill -9 $$'), [137, null])
  assert.deepEqual(await end(greedy), [137, true])
  assert.deepEqual(await end('exit 3'), [3, null])
})
