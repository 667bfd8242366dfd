// The kernel's kills for memory are reported with the command that they end.
import assert from 'node:assert/strict'
import type { Containers } from '../../src/containers/containers.ts'
import { finish } from '../../src/exec/finish.ts'
import { onEveryWay, shell } from '../engines.ts'
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

onEveryWay(
  "a container's own cat that never ends is killed after it was asked for the count of kills",
  async (given) => {
    const { engine } = given
    const { commands } = commandsOn(given)
    const at = await openContainer(given, commands, { withOther: false })
    // a resident for its user stays a while
    assert.equal((await commands.memoryKills.look(at.id))?.count, 0)
    const replace = "rm /bin/cat; printf '#!/bin/sh\nsleep 99999\n' >/bin/cat; chmod 755 /bin/cat"
    assert.equal((await shell(engine, at.id, replace, { user: '0:0' })).exitCode, 0)
    const before = await engine.processes(at.id)
    assert.equal(await commands.memoryKills.since(at.id, 0), undefined)
    while ((await engine.processes(at.id)) > before) continue
  },
)
