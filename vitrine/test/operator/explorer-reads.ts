// Reads of the operator through a connection, over the sandbox or a scripted platform, compared with the public endpoint.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Script } from '../support/scripted-platform.ts'
import { type Answer, type ServiceOptions, startScripted } from '../support/service.ts'
import { checkAnswer, exchange, type Manager, token } from './manager.ts'

export interface Through {
  readonly answer: Answer
  /** all but the body */
  readonly told: any
  /** the bytes of the body */
  readonly body: string
}

const begins = ',"body":'

/** an object without one of its members */
export const without = (one: object, name: string): any =>
  Object.fromEntries(Object.entries(one).filter(([key]) => key !== name))

/** splits the answer by its bytes: parsing would lose digits of long numbers */
export function apart(answer: Answer): Through {
  const at = answer.text.indexOf(begins)
  assert.ok(answer.status === 200 && at > 0, answer.text)
  return { answer, told: without(answer.json, 'body'), body: answer.text.slice(at + begins.length, -1) }
}

/** what differs from one answer to the next: its id, and a cursor's random part */
export const withoutChance = (body: string): string =>
  body
    .replace(/"requestId":"req_[\w-]{16}"/, '"requestId":""')
    .replace(/"nextCursor":"[\w-]+"/, '"nextCursor":"a sealed cursor"')

/** over a platform that the test scripts */
export async function startExplorer(t: TestContext, script: Script, options: ServiceOptions = {}) {
  const { platform, service, close } = await startScripted(script, {
    ...options,
    secrets: { operatorToken: token },
    file: { operatorListen: '127.0.0.1:0', ...options.file },
  })
  t.after(close)
  const port = Number(new URL(service.operatorUrl ?? '').port)
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await exchange(port, method, `/operator/v1${path}`, { body })
    checkAnswer(method, `/operator/v1${path}`, answer)
    return answer
  }
  const through = (target: string, connection = 'acme') => ask('POST', '/read', { connection, target })
  return { platform, service, port, ask, through, read: async (target: string) => apart(await through(target)) }
}

export const readOf =
  ({ ask }: Manager) =>
  async (target: string, connection = 'acme') =>
    apart(await ask('POST', '/read', { body: { connection, target } }))

/** the same at both endpoints, byte for byte, with the status */
export async function compareEndpoints(manager: Manager, targets: readonly string[], connection = 'acme') {
  const read = readOf(manager)
  const codes: string[] = []
  for (const target of targets) {
    const there = await manager.service.ask(`/v1/connections/${connection}${target}`)
    const { told, body } = await read(target, connection)
    assert.equal(told.status, there.status, target)
    assert.equal(withoutChance(body), withoutChance(there.text), target)
    assert.equal(told.bytes, Buffer.byteLength(body), target)
    assert.equal(told.requestId === JSON.parse(body).error?.requestId, told.status >= 400, target)
    codes.push(there.json.error?.code ?? 'ok')
  }
  return codes
}

export type Values = Readonly<Record<string, string>>

/** as a page writes it */
export const targetOf = (path: string, ids: Values, query: Values): string => {
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
  return `${filled}${pairs.length > 0 ? '?' : ''}${pairs.join('&')}`
}
