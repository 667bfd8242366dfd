// The proxy configurations that docs/running.md prints, run by the real programs. Ports and certificates alone are replaced.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { manyAddresses } from '../../../base/test/callers.ts'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { freePort } from '../../../base/test/free-port.ts'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

const page = readFileSync('docs/running.md', 'utf8')
const caller = '127.0.9.1'

type Change = readonly [from: string | RegExp, to: string]

interface Place {
  readonly folder: string
  readonly pem: string
  readonly port: number
}

interface Program {
  /** the line above its block */
  readonly heading: RegExp
  changes(at: Place): readonly Change[]
  wrap?(text: string, at: Place): string
  args(file: string, at: Place): readonly string[]
}

const programs: Readonly<Record<string, Program>> = {
  nginx: {
    heading: /^nginx:$/m,
    changes: ({ pem, port }) => [
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/atelier.pem', pem],
      ['/etc/ssl/atelier.key', pem],
    ],
    wrap: (text, { folder }) => `pid ${folder}/pid; daemon off; events {} http { access_log off;\n${text}\n}`,
    args: (file, { folder }) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
  haproxy: {
    heading: /^HAProxy:$/m,
    changes: ({ pem, port }) => [
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/ssl/atelier-with-key.pem', pem],
    ],
    args: (file) => ['-db', '-f', file],
  },
  caddy: {
    heading: /^Caddy, which/m,
    changes: ({ pem, port }) => [['atelier.example {', `https://127.0.0.1:${port} {\n  tls ${pem} ${pem}`]],
    wrap: (text) => `{\n  admin off\n  auto_https off\n}\n${text}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
}

function blockOf({ heading }: Program): string {
  const [, block = ''] = /\n\n((?: {4}.*\n)+)/.exec(page.slice(page.search(heading))) ?? []
  return block
}

async function start(t: TestContext, name: string, program: Program, servicePort: string) {
  const folder = mkdtempSync(join(tmpdir(), `atelier-${name}-`))
  const [pem, port] = [join(folder, 'tls.pem'), await freePort()]
  const { key, cert } = makeIdentity({ name: 'localhost', host: '127.0.0.1' })
  writeFileSync(pem, `${cert}${String(key.export({ type: 'pkcs8', format: 'pem' }))}`)
  const at = { folder, pem, port }
  const text = [...program.changes(at), ['127.0.0.1:8090', `127.0.0.1:${servicePort}`] as const].reduce(
    (now, [from, to]) => (assert.ok(now.includes(String(from)), `no ${from}`), now.replace(from, to)),
    blockOf(program),
  )
  const file = join(folder, 'conf')
  writeFileSync(file, program.wrap?.(text, at) ?? text)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child: ChildProcess = spawn(name, program.args(file, at), { stdio: ['ignore', 'pipe', 'pipe'], env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += String(part)))
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  return { port, check: () => assert.equal(child.exitCode, null, said) }
}

function ask(port: number, path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((ok, no) => {
    const to = { host: '127.0.0.1', port, path, localAddress: caller, rejectUnauthorized: false, agent: false } as const
    const req = request({ ...to, headers: { ...headers, 'x-forwarded-for': '203.0.113.5' } }, (res) => {
      res.resume()
      res.once('end', () => ok(res))
    })
    req.once('upgrade', (res, socket) => (socket.destroy(), ok(res)))
    req.once('error', no)
    req.end()
  })
}

const webSocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

for (const [name, program] of Object.entries(programs)) {
  const isThere = spawnSync(name, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' }).status === 0
  const skip =
    manyAddresses.skip ||
    (isThere || process.env['CI'] ? false : `NOT TRIED: ${name} is not installed (apt-get install)`)
  test(`the printed configuration of ${name} names its callers and passes WebSockets on`, { skip }, async (t) => {
    const [, list = ''] = /^ {4}# "trustedProxies": (\[.*\])$/m.exec(blockOf(program)) ?? []
    const settings = { trustedProxies: JSON.parse(list) as unknown, publicUrl: 'https://atelier.example' }
    const { rig, key, create } = await openUsedRig(t, { settings })
    const { port, check } = await start(t, name, program, new URL(rig.service.url).port)
    await until(async () => {
      check()
      const res = await ask(port, '/healthz', {}).catch(() => undefined)
      return res?.statusCode === 200
    })
    const made = await create()
    const path = `/containers/terminal?containerId=${made.body.id}`
    const { statusCode } = await ask(port, path, { ...webSocket, authorization: `Bearer ${key}` })
    assert.equal(statusCode, 101)
    assert.equal((await ask(port, '/containers', { authorization: 'Bearer no' })).statusCode, 401)
    const froms = rig.service.events.flatMap((event) =>
      event.kind === 'served' && ['showHealth', 'listContainers'].includes(event.operation) ? [event.from] : [],
    )
    assert.ok(froms.length >= 2)
    assert.deepEqual(new Set(froms), new Set([caller]), 'a forged X-Forwarded-For counts for nothing')
  })
}
