// A caller with a key and an address of its own, which can also leave answers unread and requests unfinished.
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { image } from '../subject.ts'

export interface CallerOptions {
  readonly port: number
  readonly key: string
  readonly address: string
  /** when its attack ends */
  readonly signal: AbortSignal
  readonly ttlSeconds: number
}

export interface Answer {
  readonly status: number
  readonly json: any
}

export type Caller = ReturnType<typeof createCaller>

export function createCaller({ port, key, address, signal, ttlSeconds }: CallerOptions) {
  const at = { host: '127.0.0.1', port, localAddress: address }
  const sockets = new Set<Socket>()
  const outcomes = new Map<string, number>()
  const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)

  function call(method: string, path: string, json?: unknown): Promise<Answer> {
    const body = json === undefined ? '' : JSON.stringify(json)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return new Promise((ok, no) => {
      const sent = request({ ...at, method, path, headers, agent: false, signal }, (res) => {
        const parts: Buffer[] = []
        res.on('data', (part: Buffer) => parts.push(part)).on('error', no)
        res.on('end', () => {
          const text = Buffer.concat(parts).toString()
          const isJson = res.headers['content-type']?.startsWith('application/json') === true && text !== ''
          const answer = { status: res.statusCode ?? 0, json: isJson ? JSON.parse(text) : undefined }
          note([answer.status, answer.json?.error?.code].join(' ').trim())
          ok(answer)
        })
      })
      sent.on('error', no).end(body)
    })
  }

  return {
    signal,
    call,
    head: (method: string, path: string, more = '') =>
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n${more}\r\n`,
    /** a socket that says something and reads nothing */
    open: (says: string): Socket => {
      const socket = connect(at)
      note('socket')
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
      socket.write(says)
      return socket
    },
    /** how often its calls had which status and code, and how many unread sockets it opened */
    outcomes: () => [...outcomes].map(([outcome, count]) => `${count} x ${outcome}`).join(', '),
    openSockets: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy()
    },
    exec: (containerId: string, script: string) =>
      call('POST', '/containers/exec', { containerId, command: ['/bin/sh', '-c', script], timeoutSeconds: 20 }),
    /** the id of a new container that expires soon after the attack */
    async container(more: object = {}): Promise<string> {
      for (;;) {
        const { status, json } = await call('POST', '/containers', { image, ttlSeconds, ...more })
        if (status === 201) return json.id
        await sleep(500, undefined, { signal })
      }
    },
    /** repeats an act until the attack ends; an act that fails is an attack that was refused */
    async repeat(pauseMs: number, act: () => unknown) {
      while (!signal.aborted) {
        await Promise.try(act).catch(() => {})
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
    },
  }
}
