// The room of commands over a real engine, and what runs in a container of it.
import { setTimeout as pause } from 'node:timers/promises'
import { createCounter } from '../../src/api/counters.ts'
import type { Containers } from '../../src/containers/containers.ts'
import type { Engine } from '../../src/engine/port.ts'
import { createCommands } from '../../src/exec/commands.ts'
import { type CommandStarter, containerMark } from '../../src/exec/starter.ts'
import { limitsOf, readSettings } from '../../src/settings.ts'
import type { CommandRows } from '../../src/store/command-rows.ts'
import type { ContainerRecord } from '../../src/store/container-rows.ts'
import { run, startContainer, type TestWay } from '../engines.ts'

const limits = limitsOf(readSettings({ listen: '127.0.0.1:1' }, {}))

/** the room of commands over a real engine; the other rooms keep nothing */
export function commandsOn({ engine, starter }: { readonly engine: Engine; readonly starter: CommandStarter }) {
  const escalated = new Set<string>()
  const rows = { add: async () => 1, remove: async () => 1, of: async () => [], detachedOf: async () => [] }
  const containers = {
    work: { begin: () => () => {} },
    end: async (id: string) => void escalated.add(id),
    explain: async (_: string, error: unknown) => error,
  }
  const parts = { rows: rows as unknown as CommandRows, containers: containers as unknown as Containers }
  return { escalated, commands: createCommands({ engine, starter, counter: createCounter(), limits, ...parts }) }
}

/** the living processes by their arguments, without the one that lists them */
export async function processes(engine: Engine, container: string): Promise<string[]> {
  const script =
    'for d in /proc/[0-9]*; do [ $d = /proc/$$ ] || { read -r l <$d/stat; set -- ${l##*) }; case $1 in Z|X) ;; *) tr "\\0" " " <$d/cmdline | cut -c1-60; echo "#${d#/proc/}";; esac; }; done 2>/dev/null'
  const { stdout } = await run(engine, container, ['/bin/sh', '-c', script], { user: '0:0', env: { PATH: '/bin' } })
  return stdout.split('\n').filter((line) => line.startsWith('#') || line.includes('BYSTANDER'))
}

const bystander = 'sleep 99999 & trap "" TERM; : BYSTANDER; wait; sleep 99999'

export async function openContainer(
  { engine, image }: Pick<TestWay, 'engine' | 'image'>,
  commands: ReturnType<typeof commandsOn>['commands'],
  { withOther = true, limits = { cpu: 1, memoryMiB: 128, pids: 128, diskMiB: 64 } } = {},
) {
  const id = await startContainer(engine, { image, limits, env: containerMark })
  const spec = { user: '1000:1000', workingDir: '/tmp', command: null }
  const record = { id, account: 'acc', spec } as unknown as ContainerRecord
  const start = (script: string) =>
    commands.start(record, { argv: ['/bin/sh', '-c', script], env: {}, hasInput: false })
  if (!withOther) return { id, start, usual: [] }
  await start(bystander)
  await pause(200)
  return { id, start, usual: await processes(engine, id) }
}
