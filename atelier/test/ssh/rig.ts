// A service on a real engine with its gateway, OpenSSH's client, and the library's own client.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import ssh2, { type Client, type ClientChannel, type ConnectConfig, type ExecOptions } from 'ssh2'
import { createApiKeys } from '../../src/accounts/api-keys.ts'
import { scopes } from '../../src/accounts/scopes.ts'
import type { Event } from '../../src/events.ts'
import { makeId } from '../../src/ids.ts'
import { openService } from '../../src/service.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'
import { type CommandWay, commandWays, onEveryWay, type TestWay } from '../engines.ts'

export interface Session {
  readonly sessionId: string
  readonly containerId: string
  readonly host: string
  readonly port: number
  readonly username: string
  readonly hostKey: string
  readonly hostKeyFingerprint: string
  readonly privateKey: string | null
  readonly expiresAt: string
  readonly command: string
}

export interface Ran {
  readonly stdout: Buffer
  readonly stderr: string
  readonly code: number | null
}

export interface RunOptions {
  readonly flags?: readonly string[]
  readonly input?: Uint8Array | string
  readonly user?: string
}

type Body = Readonly<Record<string, unknown>>

async function ran(child: ChildProcessWithoutNullStreams, input: Uint8Array | string = ''): Promise<Ran> {
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const code = new Promise<number | null>((ok) => child.once('close', ok))
  const [stdout, stderr] = await Promise.all([buffer(child.stdout), text(child.stderr)])
  return { stdout, stderr, code: await code }
}

async function openRig({ engine, socket, instance, way, image: base }: TestWay, more: Body = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-ssh-'))
  const file = {
    listen: '127.0.0.1:0',
    instance,
    engine: { socket, commands: way },
    ssh: { listen: '127.0.0.1:0' },
    ...more,
  }
  const settings = readSettings({ store: 'sqlite:atelier.db', ...file }, {})
  const store = await openStore(`sqlite:${join(folder, 'atelier.db')}`)
  const account = makeId('acc')
  await store.accounts.add({ id: account, email: 'a@example.org', password: undefined, createdAt: 1 })
  const keys = createApiKeys({ rows: store.keys, secret: await store.secret('keys'), now: Date.now, observe: () => {} })
  const makeKey = () => keys.create({ account, name: 'k', scopes: [...scopes], expiresAt: null, createdBy: 'test' }, 50)
  const { key, text: keyText } = await makeKey()
  const env = { PATH: '/bin:/usr/bin:/sbin:/usr/sbin' }
  const config = { command: null, entrypoint: null, workingDir: '/home/u', user: null, labels: {}, env }
  const image = { id: makeId('img'), account: null, name: 'base', status: 'ready', error: null, base: null } as const
  const times = { createdAt: 1, finishedAt: 1, deletedAt: null }
  await store.images.addBase({ ...image, ...times, sizeBytes: 1, config, engineId: await engine.adopt(base, image.id) })
  const events: Event[] = []
  const service = await openService(settings, { folder, observe: (event) => events.push(event) })
  const url = await service.listen()
  const started = events.find(({ kind }) => kind === 'started') as { ssh?: string }
  const port = Number(started.ssh?.split(':').at(-1) ?? 0)
  let isClosed = false

  async function call(path: string, body: Body, as = keyText) {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  async function make(body: Body = {}): Promise<string> {
    const { status, body: made } = await call('/containers', { image: 'base', ...body })
    assert.equal(status, 201, JSON.stringify(made))
    return made.id
  }

  async function putTree(id: string, path: string, tar: Uint8Array<ArrayBuffer>) {
    const headers = { authorization: `Bearer ${keyText}`, 'content-type': 'application/x-tar' }
    const place = `containerId=${id}&path=${encodeURIComponent(path)}`
    const answer = await fetch(`${url}/containers/files?${place}`, { method: 'PUT', headers, body: tar })
    assert.equal(answer.status, 200, await answer.text())
  }

  async function remove(id: string) {
    const headers = { authorization: `Bearer ${keyText}` }
    const { status } = await fetch(`${url}/containers?id=${id}&graceSeconds=0`, { method: 'DELETE', headers })
    assert.equal(status, 200)
  }

  /** a session with a key that the service makes */
  async function open(containerId: string, body: Body = {}, as = keyText): Promise<Session> {
    const { status, body: session } = await call('/containers/ssh', { containerId, ...body }, as)
    assert.equal(status, 201, JSON.stringify(session))
    return { ...session, port }
  }

  async function flagsOf({ host, hostKey, privateKey, sessionId }: Session) {
    const [known, identity] = [join(folder, `known-${sessionId}`), join(folder, `id-${sessionId}`)]
    await writeFile(known, `[${host}]:${port} ${hostKey}\n`)
    await writeFile(identity, privateKey ?? '', { mode: 0o600 })
    const options = [
      'UserKnownHostsFile',
      known,
      'StrictHostKeyChecking',
      'yes',
      'IdentitiesOnly',
      'yes',
      'BatchMode',
      'yes',
      'LogLevel',
      'ERROR',
      'ConnectTimeout',
      '8',
    ]
    const pairs = Array.from({ length: options.length / 2 }, (_, at) => `${options[2 * at]}=${options[2 * at + 1]}`)
    return ['-F', '/dev/null', ...pairs.flatMap((pair) => ['-o', pair]), '-i', identity, '-p', String(port)]
  }

  /** OpenSSH's client, at work */
  const start = async (session: Session, args: readonly string[], { flags = [], user }: RunOptions = {}) =>
    spawn('ssh', [...(await flagsOf(session)), ...flags, `${user ?? session.username}@${session.host}`, ...args])

  async function run(session: Session, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return ran(await start(session, args, options), options.input)
  }

  /** `sftp` or `scp`, or `rsync` over ssh; the container is `box:` in what it is given */
  async function copy(session: Session, program: 'sftp' | 'scp' | 'rsync', args: readonly string[], input = '') {
    const flags = (await flagsOf(session)).slice(0, -2)
    const box = `${session.username}@${session.host}`
    const given = args.map((arg) => arg.replace(/^box(?=:|$)/, box))
    const ways = { sftp: ['-q', ...flags, '-P', String(port)], scp: ['-q', ...flags, '-P', String(port)] }
    const way = program === 'rsync' ? ['-e', ['ssh', ...flags, '-p', port].join(' ')] : ways[program]
    return ran(spawn(program, [...way, ...given]), input)
  }

  /** the library's client, logged in */
  async function connect(session: Session, more: ConnectConfig = {}): Promise<Client> {
    const client = new ssh2.Client()
    const login = { host: '127.0.0.1', port, username: session.username, privateKey: session.privateKey ?? '' }
    await new Promise<void>((ok, fail) =>
      client
        .once('ready', ok)
        .once('error', fail)
        .once('close', () => fail(new Error('it was closed')))
        .connect({ ...login, ...more }),
    )
    client.on('error', () => {})
    return client
  }

  const alive = async (containerId: string, words: string): Promise<boolean> => {
    const script = 'for p in /proc/[0-9]*; do tr "\\0" " " <$p/cmdline; echo; done 2>/dev/null'
    const { body } = await call('/containers/exec', { containerId, command: ['sh', '-c', script] })
    return body.stdout.split('\n').some((line: string) => line.trim() === words)
  }

  async function close() {
    if (isClosed) return
    isClosed = true
    await service.close()
    await store.close()
    await rm(folder, { recursive: true })
  }

  return {
    folder, store, account, key, makeKey, events, url, port, call, make, putTree, remove, open, flagsOf, start, run, copy, connect, alive, service, close,
    hostKeyFile: () => readFile(join(folder, 'data/ssh_host_ed25519'), 'utf8'),
  } // prettier-ignore
}

export type Rig = Awaited<ReturnType<typeof openRig>>

export interface GatewayOptions {
  readonly settings?: Body
  readonly ways?: readonly CommandWay[]
}

export function onGateway(title: string, work: (rig: Rig) => Promise<void>, options: GatewayOptions = {}) {
  const { settings = {}, ways = ['resident'] } = options
  const inRig = async (at: TestWay) => {
    const rig = await openRig(at, settings)
    try {
      await work(rig)
    } finally {
      await rig.close()
    }
  }
  onEveryWay(title, inRig, { ways })
}

export const exec = (client: Client, command: string, options: ExecOptions = {}): Promise<ClientChannel> =>
  new Promise((ok, fail) => client.exec(command, options, (error, channel) => (error ? fail(error) : ok(channel))))

/** what runs commands, by whatever starts them */
export const onEveryGateway = (title: string, work: (rig: Rig) => Promise<void>) =>
  onGateway(title, work, { ways: commandWays })
