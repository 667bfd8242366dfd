// A port for a server that a test starts, and may start again.
import { once } from 'node:events'
import { createServer } from 'node:net'

/** below the ports that the system gives to outgoing connections: one of those could be on it when the server starts again */
const [first, last] = [12_000, 32_000]
const mostTries = 50

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const port = first + Math.floor(Math.random() * (last - first))
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${first} and ${last} was found in ${mostTries} tries`)
}
