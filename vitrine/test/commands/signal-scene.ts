// A service as its operator runs it, over a platform whose answers a test can delay.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  ask,
  type Installation,
  makeInstallation,
  makePair,
  operatorToken,
} from '../stored-connections/program.ts'

interface Platform {
  readonly url: string
  running: number
  /** what the next answers take */
  delayMs: number
}

const data = [{ type: 'apps', id: '1', attributes: { name: 'one', bundleId: 'com.example.one' } }]
const apps = JSON.stringify({ data, links: { self: 'https://api.appstoreconnect.apple.com/v1/apps' } })

async function startPlatform(t: TestContext): Promise<Platform> {
  const platform: Platform = { url: '', running: 0, delayMs: 0 }
  const server = createServer((_, response) => {
    platform.running++
    response.once('close', () => platform.running--)
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(apps)
    }, platform.delayMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return Object.assign(platform, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

interface Scene {
  readonly installation: Installation
  readonly platform: Platform
  /** what it has said on standard error */
  readonly said: () => string
  /** the lines of its log of this kind */
  readonly lines: (kind: string) => any[]
  readonly issue: () => Promise<{ id: string; key: string }>
  readonly exit: () => Promise<unknown[]>
  readonly kill: (signal: NodeJS.Signals) => void
}

async function launch(t: TestContext, settings: object) {
  const platform = await startPlatform(t)
  const installation = await makeInstallation(platform.url, {
    connections: {
      acme: { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKeyFile: 'key.p8' },
    },
    log: 'all',
    ...settings,
  })
  writeFileSync(join(installation.folder, 'key.p8'), makePair().pem, { mode: 0o600 })
  const child = installation.launch('serve')
  let text = ''
  child.stderr?.on('data', (part: Buffer) => (text += part))
  const ended = once(child, 'close')
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    await installation.close()
  })
  return { platform, installation, child, ended, said: () => text }
}

export async function startScene(t: TestContext, settings: object): Promise<Scene> {
  const { platform, installation, child, ended, said } = await launch(t, settings)
  const lines = (kind: string) =>
    said()
      .split('\n')
      // the last of them may not have come whole
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter((line) => line.kind === kind)
  while (lines('started').length === 0) {
    if (child.exitCode !== null) throw new Error(`it ended: ${said()}`)
    await sleep(10)
  }
  return {
    installation,
    platform,
    said,
    lines,
    issue: async () => {
      const body = { name: 'test', connections: ['*'] }
      return (await ask(installation.operatorUrl, '/operator/v1/keys', operatorToken, { method: 'POST', body })).json
    },
    exit: () => ended,
    kill: (signal) => void child.kill(signal),
  }
}

let asked = 0

/** one read of its own, on a socket of its own: no two of them are one call of the platform */
export const read = ({ installation }: Pick<Scene, 'installation'>, key: string): Promise<Answer> =>
  ask(installation.url, `/v1/connections/acme/apps?limit=1&name=${++asked}`, key)

export const many = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act))
