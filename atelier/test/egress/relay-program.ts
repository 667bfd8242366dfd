// The relay as it is started in a container, here as a child process: its streams are what the engine would hand on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { EngineChannel } from '../../src/engine/port.ts'
import { program } from '../resident/client.ts'

export function startRelay(t: TestContext) {
  const child = spawn(program, ['relay'], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(() => undefined)
  t.after(() => child.kill('SIGKILL'))
  const channel: EngineChannel = {
    ended,
    onData: (listener) => child.stdout.on('data', listener),
    write: (data) => void child.stdin.write(data),
    get unsent() {
      return child.stdin.writableLength
    },
    close: () => child.stdin.end(),
  }
  return { channel, child, ended }
}
