// Callers at addresses of their own: on Linux every address of 127.0.0.0/8 is this machine, and each /24 a neighbourhood.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** for tests that need more than one */
export const manyAddresses = { skip: process.platform === 'darwin' && 'one address is all that loopback has here' }

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly json: any
}

export interface Asked {
  readonly path?: string
  /** undefined: none */
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
}

export function askAt(port: number, from: string, { path = '/v1/whoami', key, headers }: Asked): Promise<Reply> {
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

/** an open socket; it does not mind being closed */
export async function socketAt(port: number, from: string, says = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: false })
  socket.on('error', () => {})
  await new Promise<void>((ok) => socket.once('connect', ok).once('close', () => ok()))
  if (says !== '') socket.write(says)
  return socket.resume()
}

export const many = async (count: number, make: (i: number) => Promise<Socket>): Promise<Socket[]> => {
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
