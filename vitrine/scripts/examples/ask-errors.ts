// Every error as the service really answers it. Requests go over a socket, byte for byte as their pages show them.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { ErrorExample, ErrorExamples } from '../../src/derive/reference/error-page.ts'
import { type Circumstances, type ExampleService, openExampleService, operatorToken } from './example-service.ts'
import { type Provocation, provocations } from './provocations.ts'

interface Answer {
  readonly status: number
  readonly body: any
  /** what it gave to keep, without name and attributes */
  readonly cookie: string
}

const slow = 15_000

/** what the service says until it closes the socket, or has said one whole answer */
function exchange(url: string, bytes: string, signal: AbortSignal | undefined): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    const end = () => {
      socket.destroy()
      resolve(heard)
    }
    signal?.addEventListener('abort', () => socket.destroy(new Error('nobody waits for it')))
    socket.setTimeout(slow, () => socket.destroy(new Error('the example is not answered')))
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      heard += part
      if (isWhole(heard)) end()
    })
    socket.on('end', end)
    socket.on('error', reject)
  })
}

function isWhole(heard: string): boolean {
  const [head = '', body] = heard.split(/\r\n\r\n([^]*)/)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return body !== undefined && Buffer.byteLength(body) >= Number(length ?? 0)
}

const oneId = 'req_0123456789abcdef'

/** where its request differs each time, the same words stand for it */
function readAnswer(heard: string): Answer {
  const body = JSON.parse(heard.split(/\r\n\r\n([^]*)/)[1] ?? '')
  if (body.error?.requestId) body.error.requestId = oneId
  const cookie = /^set-cookie: [^=]+=([^;\r]*)/im.exec(heard)?.[1] ?? ''
  return { status: Number(heard.slice(9, 12)), body, cookie }
}

type Words = Readonly<Record<string, string>>

const wordsOf = ({ key, account }: ExampleService): Words => ({
  key,
  'operator token': operatorToken,
  'facade key id': key.split('_')[2] ?? '',
  'key id': account.keyId,
  'issuer id': account.issuerId,
  'private key': JSON.stringify(readFileSync(account.privateKeyFile, 'utf8')).slice(1, -1),
})

function fill(asked: string, words: Words): string {
  const filled = asked
    .replaceAll(/\{(\d+) letters\}/g, (_, count: string) => 'q'.repeat(Number(count)))
    .replaceAll(/\{([a-zA-Z ]+)\}/g, (hole, name: string) => words[name] ?? hole)
  const [head = '', body = ''] = filled.split(/\n\n([^]*)/)
  const length = String(Buffer.byteLength(body))
  return `${head.replace('{length}', length).replaceAll('\n', '\r\n')}\r\n\r\n${body}`
}

/** sends the request as shown on the page, to the endpoint in its Host field */
async function send(asked: string, service: ExampleService, words: Words, signal?: AbortSignal): Promise<Answer> {
  const url = asked.includes('/operator/v1') ? service.operatorUrl : service.url
  return readAnswer(await exchange(url, fill(asked, { ...wordsOf(service), ...words }), signal))
}

/** a request before it that hangs is not waited for, and goes on until `signal` */
async function prepare(provocation: Provocation, service: ExampleService, signal: AbortSignal): Promise<Words> {
  const { before = [], hoursLater, circumstances } = provocation
  let words: Words = {}
  for (const asked of before) {
    const answering = send(asked, service, {}, signal)
    if (circumstances?.trouble?.includes('hang')) {
      void answering.catch(() => {})
      while (service.calls() === 0) await setTimeout(10)
    } else {
      const { body, cookie } = await answering
      words = { nextCursor: body.nextCursor ?? '', 'secret of the cookie': cookie }
    }
  }
  if (hoursLater !== undefined) service.leap(hoursLater)
  return words
}

async function provoke(provocation: Provocation, service: ExampleService): Promise<ErrorExample> {
  const { asked, under } = provocation
  const beside = new AbortController()
  const words = await prepare(provocation, service, beside.signal)
  const { status, body } = await send(asked, service, words)
  beside.abort()
  return { asked, ...(under !== undefined && { under }), status, body }
}

/** those that change it have a service of their own */
const shareOf = ([code, { circumstances, before }]: [string, Provocation]): string =>
  JSON.stringify([circumstances, before && code])

/** one service for all that need the same */
export async function askErrors(): Promise<ErrorExamples> {
  const found: Record<string, ErrorExample> = {}
  for (const some of Map.groupBy(Object.entries(provocations), shareOf).values()) {
    const circumstances: Circumstances | undefined = some[0]?.[1].circumstances
    const service = await openExampleService(circumstances)
    for (const [code, provocation] of some) found[code] = await provoke(provocation, service)
    await service.close()
  }
  return Object.fromEntries(Object.keys(provocations).map((code) => [code, found[code] as ErrorExample]))
}
