// Starts the stand-in, tells it how to treat whom, and lets it die and come back at the same port.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { remember } from '../leftovers.mjs'

const program = join(import.meta.dirname, 'stand-in.mjs')

async function launch(port) {
  const child = spawn(process.execPath, [program, String(port)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  remember(child)
  const [told] = await once(child, 'message')
  return { child, port: told.port }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function tell(child, order) {
  const answered = once(child, 'message')
  child.send(order)
  const [{ counts }] = await answered
  return counts
}

export async function startPlatform(rules = {}) {
  let { child, port } = await launch(0)
  let latest = rules
  await tell(child, { rules })
  return {
    origin: `http://127.0.0.1:${port}`,
    /** how calls are treated from now on; the counts begin anew */
    rule(fresh) {
      latest = fresh
      return tell(child, { rules: fresh })
    },
    /** by key id: calls, of these treated badly, refused for their number */
    counts: () => tell(child, {}),
    kill: () => end(child),
    async comeBack() {
      child = (await launch(port)).child
      await tell(child, { rules: latest })
    },
    close: () => end(child),
  }
}
