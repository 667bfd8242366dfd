// The program as a process, over a scripted platform, with one hosted connection and a key for it.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  ask,
  type Installation,
  makeInstallation,
  makePair,
  operatorToken,
  untilManaged,
} from '../stored-connections/program.ts'
import { page } from '../support/example-routes.ts'
import { type Script, type ScriptedPlatform, send, startScriptedPlatform } from '../support/scripted-platform.ts'

export interface Running extends Installation {
  readonly platform: ScriptedPlatform
  readonly key: string
  /** the path that answers `page.answer` over a healthy platform */
  read(path?: string): Promise<Answer>
  act(method: string, path: string, body?: object): Promise<Answer>
  /** repeats a request until it is answered with 200 */
  served(withinMs?: number): Promise<void>
}

const { pem } = makePair()
/** what is stored without a check */
export const accountOf = (id: string) => ({ id, keyId: 'KEY1', issuerId: 'issuer', privateKey: pem, check: false })

export const healthy: Script = (_, res) => send(res, page.healthy)

export interface RunningOptions {
  readonly script?: Script
  readonly settings?: object
  readonly upstream?: object
  readonly environment?: Readonly<Record<string, string>>
}

export async function startRunning(t: TestContext, options: RunningOptions = {}): Promise<Running> {
  const { script = healthy, settings, upstream, environment } = options
  const platform = await startScriptedPlatform(script)
  const file = { ...settings, upstream: { baseUrl: platform.url, ...upstream } }
  const installation = await makeInstallation(platform.url, file, environment)
  t.after(() => installation.close().then(platform.close))
  await installation.start()
  const { url, operatorUrl } = installation
  await untilManaged(installation)
  const act = (method: string, path: string, body?: object) =>
    ask(operatorUrl, `/operator/v1${path}`, operatorToken, { method, ...(body && { body }) })
  const made = await act('POST', '/connections', accountOf('studio'))
  assert.equal(made.status, 201, JSON.stringify(made.json))
  const { key } = (await act('POST', '/keys', { name: 'k', connections: ['*'] })).json
  const read = (path = `/v1/connections/studio${page.path}`) => ask(url, path, key)
  return {
    ...installation,
    platform,
    key,
    read,
    act,
    async served(withinMs = 6_000) {
      const from = performance.now()
      for (;;) {
        const answer = await read().catch(() => undefined)
        if (answer?.status === 200) return assert.deepEqual(answer.json, page.answer)
        assert.ok(performance.now() - from < withinMs, `still ${answer?.status} ${JSON.stringify(answer?.json)}`)
        await sleep(100)
      }
    },
  }
}
