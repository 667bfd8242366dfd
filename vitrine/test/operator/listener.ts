// A listener: reads server-sent events as a browser does, and checks each against its schema.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { account, checkSchema, token } from './manager.ts'

export interface Told {
  readonly name: string
  readonly data: any
  /** since the request */
  readonly afterMs: number
}

export interface Listener {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly told: Told[]
  /** heartbeats */
  readonly beats: Told[]
  /** the current cards, as a page keeps them */
  readonly cards: Map<string, any>
  until(what: string, isSo: () => unknown, mostMs?: number): Promise<void>
  /** whether the server has ended it */
  hasEnded(): boolean
  /** reads no more, and keeps the socket */
  pause(): void
  resume(): void
  leave(): void
  readonly req: ClientRequest
}

const schemas: Readonly<Record<string, string>> = {
  service: 'ServiceState',
  cards: 'Cards',
  removed: 'RemovedCards',
  whole: 'WholeTold',
  beat: 'Beat',
  bye: 'Bye',
}

function keep(cards: Listener['cards'], { name, data }: Told) {
  if (name === 'cards') for (const card of data.items) cards.set(card.id, card)
  if (name === 'removed') for (const id of data.ids) cards.delete(id)
}

/** `field: value` lines, and a blank one behind each event */
function createParser(hear: (name: string, data: string) => void) {
  let rest = ''
  return (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^\w*: ?/, '')]))
      if (fields.has('event')) hear(fields.get('event') ?? '', fields.get('data') ?? '')
    }
  }
}

export interface Listening {
  readonly token?: string | null
  readonly headers?: Record<string, string>
}

export async function listen(t: TestContext, port: number, listening: Listening = {}): Promise<Listener> {
  const { token: given = token, headers = {} } = listening
  const begunAt = performance.now()
  const auth = given === null ? {} : { authorization: `Bearer ${given}` }
  const req = request({
    host: '127.0.0.1',
    port,
    path: '/operator/v1/events',
    agent: false,
    headers: { ...auth, ...headers },
  })
  req.on('error', () => {})
  req.end()
  t.after(() => req.destroy())
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  let ended = false
  res.on('error', () => {})
  res.on('close', () => (ended = true))
  const [told, beats, cards]: [Told[], Told[], Listener['cards']] = [[], [], new Map()]
  const parse = createParser((name, data) => {
    const one = { name, data: JSON.parse(data), afterMs: performance.now() - begunAt }
    assert.ok(schemas[name], `${name} is no event of ours`)
    checkSchema(schemas[name], one.data)
    ;(name === 'beat' ? beats : told).push(one)
    keep(cards, one)
  })
  res.setEncoding('utf8').on('data', parse)
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    told,
    beats,
    cards,
    req,
    hasEnded: () => ended,
    pause: () => void res.pause(),
    resume: () => void res.resume(),
    leave: () => void req.destroy(),
    async until(what, isSo, mostMs = 10_000) {
      for (const endsAt = performance.now() + mostMs; !isSo(); await sleep(10))
        assert.ok(performance.now() < endsAt, `${what}: ${JSON.stringify(told.slice(-3)).slice(0, 2_000)}`)
    },
  }
}

export const names = ({ told }: Listener): string[] => told.map(({ name }) => name)

/** faster than in production */
export const quickly = { tickMs: 100 }
export const fine: Script = (_, res) => send(res, page.healthy)

/** as the settings have them */
export const many = (count: number) => {
  const one = { keyId: account.keyId, issuerId: account.issuerId, privateKeyFile: 'key.p8' }
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, one]))
}

/** the log events of ended streams */
export const streamsOf = (events: readonly { kind: string }[]) =>
  events.filter((event: any) => event.kind === 'answered' && event.operation === 'streamEvents') as any[]
