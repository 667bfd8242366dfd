// Callers with addresses of their own: on Linux each address of 127.0.0.0/8 is local, and each /24 is a separate network.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** for tests that need more than one address */
export const manyAddresses = { skip: process.platform === 'darwin' && 'one address is all that loopback has here' }

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly json: any
}

export interface CallerRequest {
  readonly path?: string
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
}

export function requestFrom(
  port: number,
  from: string,
  { path = '/v1/whoami', key, headers }: CallerRequest,
): Promise<Reply> {
  const auth = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return new Promise((ok, no) => {
    const options = { host: '127.0.0.1', port, localAddress: from, path, agent: false as const }
    const req = request({ ...options, headers: { ...auth, ...headers } }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', no)
      res.on('end', () => {
        const json = JSON.parse(Buffer.concat(parts).toString())
        ok({ status: res.statusCode ?? 0, headers: res.headers, json })
      })
    })
    req.on('error', no)
    req.end()
  })
}

/** an open socket that ignores errors */
export async function connectFrom(port: number, from: string, says = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: false })
  socket.on('error', () => {})
  await new Promise<void>((ok) => socket.once('connect', ok).once('close', () => ok()))
  if (says !== '') socket.write(says)
  return socket.resume()
}

export const openMany = async (count: number, make: (i: number) => Promise<Socket>): Promise<Socket[]> => {
  const made: Socket[] = []
  for (let i = 0; i < count; i++) made.push(await make(i))
  return made
}

export async function until(what: string, holds: () => boolean | Promise<boolean>) {
  for (let i = 0; i < 800; i++) {
    if (await holds()) return
    await sleep(10)
  }
  assert.fail(`in vain: ${what}`)
}
