// `atelier demo`: a private engine, a base image, an account, a key and the service, with lines to paste. Ctrl-C removes it all.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { say } from '../../../base/cli/output.ts'
import { asUserError, UserError } from '../../../base/cli/user-error.ts'
import type { Address } from '../../../base/core/setting-values.ts'
import { createEventLog } from '../../../base/watch/log.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { scopes } from '../accounts/scopes.ts'
import { openCore } from '../core.ts'
import { makeBaseImages, shellImage } from '../demo/base-image.ts'
import { type PrivateEngine, startPrivateEngine } from '../demo/private-engine.ts'
import { makePrivateFolder, removePrivateFolder } from '../demo/private-folder.ts'
import { type EnginePrograms, findEnginePrograms, installLine } from '../demo/programs.ts'
import { welcome } from '../demo/welcome.ts'
import { events, type Observe } from '../events.ts'
import { makeId } from '../ids.ts'
import { openService } from '../service.ts'
import { limitsOf, readSettings, type Settings } from '../settings.ts'
import { importBase } from './images.ts'

const email = 'demo@example.org'
const image = 'busybox'

const observe: Observe = createEventLog({ table: events }, 'problems', process.stderr, () => {})

function findPrograms(): EnginePrograms {
  const programs = findEnginePrograms()
  if (!programs)
    throw new UserError(`The demo starts a Podman engine of its own, which needs these packages:\n\n  ${installLine}\n`)
  if (process.getuid?.() !== 0)
    throw new UserError('The demo starts a container engine, which needs root: run it with sudo.')
  return programs
}

/** says what is done, and for how long it took */
async function step<T>(about: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const isTerminal = process.stderr.isTTY
  if (isTerminal) process.stderr.write(`${about} …`)
  const result = await asUserError(work)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (isTerminal) process.stderr.write(` ${seconds} s\n`)
  else say(`${about}: ${seconds} s`)
  return result
}

/** the port that is wanted, or a free one where it is taken */
async function findPort({ host, port }: Address): Promise<number> {
  const listen = async (wanted: number) => {
    const server = createServer()
    await once(server.listen(wanted, host), 'listening')
    const { port: found } = server.address() as { port: number }
    await new Promise((ok) => server.close(ok))
    return found
  }
  return listen(port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return listen(0)
  })
}

/** The settings of a real installation in the environment are ignored. */
async function makeSettings(socket: string): Promise<Settings> {
  const { ATELIER_LISTEN, ATELIER_SSH_LISTEN } = process.env
  const file = { listen: '127.0.0.1:8090', instance: 'demo', engine: { socket }, store: 'sqlite:atelier.db' }
  const wanted = readSettings(file, { ATELIER_LISTEN, ATELIER_SSH_LISTEN })
  const [listen, ssh] = [wanted.listen, wanted['ssh.listen']]
  const at = (address: Address, port: number) =>
    `${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}`
  const sshPort = await findPort(ssh)
  const settings = {
    ...file,
    listen: at(listen, await findPort(listen)),
    ssh: { listen: at(ssh, sshPort), publicHost: ssh.host, publicPort: sshPort, hostKeyFile: 'ssh_host_ed25519' },
  }
  return readSettings(settings, {})
}

/** an account with a key, and the base image; as the commands of an operator make them */
async function furnish(settings: Settings, folder: string, password: string): Promise<string> {
  const core = await openCore(settings, { folder, observe })
  try {
    const account = makeId('acc')
    const createdAt = core.now()
    await core.store.accounts.add({ id: account, email, password: await hashPassword(password), createdAt })
    await importBase(core, image, shellImage)
    const wish = { account, name: 'demo', scopes, expiresAt: null, createdBy: 'operator' }
    return (await core.keys.create(wish, limitsOf(settings).keys)).text
  } finally {
    await core.close()
  }
}

async function serveDemo(engine: PrivateEngine, folder: string): Promise<() => Promise<void>> {
  const settings = await asUserError(() => makeSettings(engine.socket))
  const password = randomBytes(9).toString('base64url')
  const key = await step('Making an account and a key', () => furnish(settings, folder, password))
  const service = await asUserError(() => openService(settings, { folder, observe }))
  const url = await asUserError(() => service.listen())
  const ssh = { host: settings['ssh.publicHost'], port: settings['ssh.publicPort'] }
  process.stdout.write(welcome({ url, key, image, ssh }, { email, password }))
  return () => service.close()
}

/** resolves with the first signal; later ones are ignored, since npm repeats that of the terminal */
const firstSignal = (): Promise<void> =>
  new Promise((ok) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ok())
  })

export async function demo({ folder: wanted }: { readonly folder: string }) {
  const programs = findPrograms()
  const folder = resolve(wanted)
  const stopped = firstSignal()
  await makePrivateFolder(folder)
  let engine: PrivateEngine | undefined
  let close = async () => {}
  try {
    engine = await step(`Starting a private engine below ${folder}`, () => startPrivateEngine(folder, programs))
    const { socket, ended } = engine
    await step('Making a base image', () => makeBaseImages(socket, programs.busybox))
    close = await serveDemo(engine, folder)
    if ((await Promise.race([stopped, ended.then(() => 'ended')])) === 'ended')
      throw new UserError('The private engine ended.')
  } finally {
    await step('Removing everything', async () => {
      await close()
      await engine?.stop()
      await removePrivateFolder(folder)
    })
  }
}
