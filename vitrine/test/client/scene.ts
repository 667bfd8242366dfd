// A scripted service, and the client under test.
import type { TestContext } from 'node:test'
import type { VitrineOptions } from '../../client/vitrine.ts'
import { type Script, type ScriptedPlatform, send, startScriptedPlatform } from '../support/scripted-platform.ts'

export type Client = typeof import('../../client/vitrine.ts')
/** the same tests run on the source and on the build */
export type Load = () => Promise<Client>

export const key = 'vtr_test_AAAAAAAAAAAA_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'

type Options = Partial<VitrineOptions>

export async function script(t: TestContext, { Vitrine }: Client, answer: Script, options: Options = {}) {
  const service: ScriptedPlatform = await startScriptedPlatform(answer)
  t.after(service.close)
  const vitrine = new Vitrine({ url: service.url, key, connection: 'acme', ...options })
  return { service, vitrine }
}

/** a refusal in the format of the service */
export const refusal = (type: string, code: string, more: object = {}) => ({
  error: { type, code, message: 'Words.', requestId: 'req_1', retryable: false, docUrl: `/errors/${code}`, ...more },
})

/** answers one after the other; the last one again and again */
export const inTurn = (...answers: Script[]): Script => {
  let at = 0
  return (call, res) => answers[Math.min(at++, answers.length - 1)]?.(call, res)
}

export const app: Script = (_, res) =>
  send(res, { items: [{ id: '1' }], nextCursor: null }, { 'x-request-id': 'req_ok' })

export const busy =
  (headers: Record<string, string> = {}, status = 503): Script =>
  (_, res) =>
    send(res, refusal('overloaded', 'too_busy', { retryable: true }), headers, status)

/** the error of a rejected call; a result fails the test */
export async function thrown(work: PromiseLike<unknown>): Promise<any> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it was answered')
}

/** takes the waits before retries out of a test */
export const skipRetryWaits = (t: TestContext) => t.mock.method(Math, 'random', () => 0)
