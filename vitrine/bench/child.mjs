// Starts a process on its own cores, says when it is ready, and ends it again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { remember } from './leftovers.mjs'
import { pinned } from './machine.mjs'

/** our own environment without settings of Vitrine that would join those of the bench, and with the same Node.js */
export function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_'))
  return { ...Object.fromEntries(kept), VITRINE_NODE: process.execPath, NODE_ENV: 'production' }
}

/** `core`: what `pinned` takes. `authority`: the file of one more that the program trusts. The pid is the program's own: `taskset` and bin/vitrine both become what they start. */
export async function start(command, { core, authority } = {}) {
  const [program, ...given] = pinned(command, core)
  const env = { ...environment(), ...(authority && { NODE_EXTRA_CA_CERTS: authority }) }
  const child = spawn(program, given, { stdio: ['ignore', 'pipe', 'inherit'], env })
  remember(child)
  await once(child, 'spawn')
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`ended early: ${command.slice(0, 2).join(' ')}`)),
  )
  const firstLine = Promise.race([once(lines, 'line').then(([line]) => line), ended])
  // who waits for the line hears of it; who does not finds the child ended
  firstLine.catch(() => {})
  return { pid: child.pid, firstLine, hasEnded: () => child.exitCode !== null || child.signalCode !== null, child }
}

export async function stop({ child, hasEnded }) {
  if (hasEnded()) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await gone
  clearTimeout(kill)
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** resolves when a program listens */
export async function listens(port, { hasEnded }) {
  for (let tries = 0; tries < 400 && !hasEnded(); tries++) {
    const socket = connect(port, '127.0.0.1')
    const ok = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (ok) return
    await wait(25)
  }
  throw new Error(`nobody listens on port ${port}`)
}

/** resolves when the address answers 200 */
export async function answers(url, { hasEnded }) {
  for (let tries = 0; tries < 200 && !hasEnded(); tries++) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await wait(50)
  }
  throw new Error(`no answer at ${url}`)
}
