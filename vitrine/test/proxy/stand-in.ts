// A proxy under a test's control: an honest one until the test lets it misbehave. Beside it, real ones: tinyproxy and squid.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { setTimeout as pause } from 'node:timers/promises'
import { skipReason } from '../../../base/test/required-server.ts'
import type { Identity } from '../../../base/test/certificates.ts'
import { freePort } from '../../../base/test/free-port.ts'

/** takes the socket of a client, and the head that it sent */
export type Behave = (socket: Socket, head: string) => void

/** joins two sockets until one of them closes; `cutAfter` bytes of the far side the client gets a reset */
function join2(near: Socket, far: Socket, cutAfter: number) {
  let passed = 0
  far.on('data', (part: Buffer) => {
    passed += part.length
    if (passed > cutAfter) near.destroy()
    else near.write(part)
  })
  near.pipe(far)
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

/** `answer`: what is sent before the tunnel carries bytes */
export const tunnel =
  (answer = 'HTTP/1.1 200 Connection established\r\n\r\n', cutAfter = Infinity): Behave =>
  (socket, head) => {
    const [, host = '', port = ''] = /^CONNECT ([\w.-]+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? []
    const far = connect(Number(port), host, () => {
      socket.write(answer)
      join2(socket, far, cutAfter)
    })
    far.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  }

export const say =
  (text: string): Behave =>
  (socket) =>
    void socket.end(text)

export interface StandIn {
  readonly url: string
  readonly port: number
  /** the heads that it got */
  readonly heads: string[]
  readonly sockets: Set<Socket>
  behave: Behave
  readonly close: () => Promise<void>
}

export async function startStandIn(identity?: Identity): Promise<StandIn> {
  const sockets = new Set<Socket>()
  const standIn: StandIn = { url: '', port: 0, heads: [], sockets, behave: tunnel(), close: async () => {} }
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let text = ''
    const listen = (part: Buffer) => {
      text += part.toString('latin1')
      if (!text.includes('\r\n\r\n')) return
      socket.off('data', listen)
      standIn.heads.push(text)
      standIn.behave(socket, text)
    }
    socket.on('data', listen)
  }
  const pem = identity?.key.export({ type: 'pkcs8', format: 'pem' })
  const server: Server =
    identity && pem ? createTlsServer({ key: pem, cert: identity.cert }, accept) : createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(standIn, {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
}

const programs = { tinyproxy: '/usr/bin/tinyproxy', squid: '/usr/sbin/squid' } as const
type Program = keyof typeof programs

/** for the options of a test */
export const missing = (name: Program): string | false =>
  skipReason(existsSync(programs[name]) ? name : undefined, name, `apt-get install ${name}`)

export interface RealProxy {
  readonly port: number
  readonly close: () => Promise<void>
}

export interface RealProxyOptions {
  /** the only port to which it opens tunnels */
  readonly target: number
  readonly user?: string
  readonly password?: string
  /** it listens over TLS too, at the returned `securePort` */
  readonly identity?: Identity
}

async function start(program: Program, port: number, folder: string, lines: readonly string[]): Promise<RealProxy> {
  const file = join(folder, `${program}.conf`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const args = program === 'squid' ? ['-N', '-f', file] : ['-d', '-c', file]
  const child = spawn(programs[program], args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)))
  const ended = once(child, 'exit')
  const isUp = () =>
    new Promise<boolean>((ok) => {
      const socket = connect(port, '127.0.0.1', () => ok(socket.destroy() === socket))
      socket.on('error', () => ok(false))
    })
  for (let tries = 0; !(await isUp()); tries++) {
    if (child.exitCode !== null || tries === 200) throw new Error(`${program} does not start: ${said}`)
    await pause(50)
  }
  return {
    port,
    close: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function startTinyproxy({ target, user, password }: RealProxyOptions): Promise<RealProxy> {
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'vitrine-tinyproxy-'))]
  const auth = user === undefined ? [] : [`BasicAuth ${user} ${password}`]
  const own = [`Port ${port}`, 'Listen 127.0.0.1', 'Allow 127.0.0.1', 'Timeout 60', 'LogLevel Error']
  return start('tinyproxy', port, folder, [...own, `ConnectPort ${target}`, ...auth])
}

/** over TLS, with an authentication program of its own */
export async function startSquid(options: Required<RealProxyOptions>): Promise<RealProxy> {
  const { target, user, password, identity } = options
  const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'vitrine-squid-'))]
  chmodSync(folder, 0o755)
  const [pem, check] = [join(folder, 'tls.pem'), join(folder, 'check')]
  writeFileSync(pem, `${identity.cert}${String(identity.key.export({ type: 'pkcs8', format: 'pem' }))}`)
  const one = `[ "$line" = '${user} ${encodeURIComponent(password)}' ] && echo OK || echo ERR`
  writeFileSync(check, `#!/bin/sh\nwhile read -r line; do ${one}; done\n`, { mode: 0o755 })
  return start('squid', port, folder, [
    `https_port 127.0.0.1:${port} tls-cert=${pem}`,
    'pid_filename none',
    'access_log none',
    'cache_log /dev/null',
    'cache_store_log none',
    'netdb_filename none',
    'cache deny all',
    'shutdown_lifetime 0 seconds',
    `coredump_dir ${folder}`,
    `auth_param basic program ${check}`,
    'auth_param basic children 1 startup=1 idle=1',
    'acl known proxy_auth REQUIRED',
    `acl target port ${target}`,
    'http_access deny !target',
    'http_access allow known',
    'http_access deny all',
  ])
}
