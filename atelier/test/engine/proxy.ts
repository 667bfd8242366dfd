// Unix sockets of a test's own, such as one that leads to an engine until it is cut.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** a unix socket of our own, each connection of which is handed over */
export async function listen(take: (near: Socket) => void) {
  const directory = mkdtempSync(join(tmpdir(), 'engine-'))
  const socket = join(directory, 's')
  const open = new Set<Socket>()
  const server = createServer((near) => {
    open.add(near)
    near.on('error', () => undefined).on('close', () => open.delete(near))
    take(near)
  }).listen(socket)
  await once(server, 'listening')
  const cut = () => {
    for (const near of open) near.destroy()
  }
  const close = () => {
    cut()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return { socket, cut, close }
}

/** leads to the engine until it is cut */
export const proxyTo = (engineSocket: string) =>
  listen((near) => {
    const far = connect(engineSocket)
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  })
