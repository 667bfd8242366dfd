// A scripted platform for the doctor: it refuses calls without a token and answers calls with one.
import type { TestContext } from 'node:test'
import {
  refuse,
  type Script,
  type ScriptedPlatform,
  send,
  startScriptedPlatform,
} from '../support/scripted-platform.ts'
import { examine, install, type Told } from './scene.ts'

export const rate = { 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:3500;' }

interface Claims {
  readonly kid: string
  readonly iss?: string
  readonly sub?: string
  readonly scope?: readonly string[]
}

/** the claims of the token; undefined without one */
export function claimsOf(authorization: string | undefined): Claims | undefined {
  const [head, body] = (authorization ?? '').replace('Bearer ', '').split('.')
  if (head === undefined || body === undefined) return undefined
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { ...read(head), ...read(body) }
}

/** a platform that answers calls with a token, unless `other` answers first */
export const platformWith =
  (other: Script = () => {}): Script =>
  async (call, res) => {
    if (!claimsOf(call.headers.authorization)) return refuse(res, 401, 'NOT_AUTHORIZED')
    await other(call, res)
    if (res.writableEnded || res.headersSent) return undefined
    if (call.path === '/v1/apps') return send(res, { data: [{ type: 'apps', id: '6446990001' }], links: {} }, rate)
    return send(res, { data: [], links: {} }, rate)
  }

export async function start(t: TestContext, script: Script): Promise<ScriptedPlatform> {
  const platform = await startScriptedPlatform(script)
  t.after(platform.close)
  return platform
}

export async function look(t: TestContext, script: Script, settings: Record<string, unknown> = {}): Promise<Told> {
  const { url } = await start(t, script)
  const { config } = install(t, url, settings)
  return examine(config, [], { VITRINE_UPSTREAM_HEADERS_MS: '400', VITRINE_UPSTREAM_IDLE_MS: '400' })
}

/** the findings of a healthy installation here: the store was never created */
export const well = ['store=warn']
