// Starts commands by the engine's exec, which cannot kill one: a second exec looks for the mark of the first.
import type { Engine } from '../engine/port.ts'
import { type CommandPlace, type CommandStarter, type Killer, type KillResult, markName } from './starter.ts'
import { killScript } from './kill-script.ts'

const killMs = 4_000
async function runScript(engine: Engine, { container, id, user }: Killer, args: readonly string[]): Promise<string> {
  const exec = await engine.exec({
    container,
    argv: ['/bin/sh', '-c', killScript, 'kill', ...args],
    env: { [markName]: id },
    workingDir: '/',
    user,
    input: false,
  })
  const late = setTimeout(() => exec.leave(), killMs)
  const parts: Buffer[] = []
  try {
    for await (const { data } of exec.output) parts.push(data)
  } finally {
    clearTimeout(late)
  }
  return Buffer.concat(parts).toString()
}

export const createEngineStarter = (engine: Engine): CommandStarter => ({
  start: (id, template) => engine.exec({ ...template, env: { ...template.env, [markName]: id } }),
  async kill({ id, isKeptAlive }: CommandPlace, killer, { running, hasEnded }): Promise<KillResult> {
    // besides the init, one process keeps a container alive
    const own = isKeptAlive ? '1' : '-'
    const said = await runScript(engine, killer, [id, own, ...running])
    const [, marks] = /^gone(.*)$/m.exec(said) ?? []
    const isGone = marks?.split(' ').every((mark) => mark === '' || hasEnded(mark)) ?? false
    return isGone ? 'gone' : 'left'
  },
  async killUnknown(killer, others) {
    await runScript(engine, killer, ['-', '-', ...others])
  },
})
