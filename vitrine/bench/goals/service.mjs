// Vitrine as its operator runs it, `bin/vitrine serve` in a process of its own, with its log in a file; and what the kernel
// says of that process.
import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answers, environment, freePort, stop } from '../child.mjs'
import { remember, temporaryFolder } from '../leftovers.mjs'
import { cpuMsOf, peakMiBOf } from '../machine.mjs'

const command = join(import.meta.dirname, '../../bin/vitrine')

/** the budget of one request in all goals; nothing may be answered a second later than that */
export const deadlineMs = 10_000

/** connection -> its platform key, whose id the stand-in knows it by */
export const keyIdOf = (connection) => `GOAL${connection.toUpperCase().padStart(6, '0')}`

function writeSettings(folder, { platform, port, connections, settings }) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(folder, 'key.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const issuerId = crypto.randomUUID()
  const accounts = connections.map((id) => [id, { keyId: keyIdOf(id), issuerId, privateKeyFile: 'key.p8' }])
  const file = join(folder, 'vitrine.json')
  const given = {
    listen: `127.0.0.1:${port}`,
    operatorListen: 'off',
    store: 'sqlite:vitrine.db',
    rateLimit: { perMinute: 0 },
    ...settings,
    upstream: { baseUrl: platform, timeoutMs: deadlineMs, ...settings.upstream },
    connections: Object.fromEntries(accounts),
  }
  writeFileSync(file, JSON.stringify(given))
  return file
}

const statusMiB = (pid, name) =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm'))?.[1]) / 1024

/** `connections`: ids, each with a platform key of its own; `settings` beside those that every goal has */
export async function startService({ platform, connections = ['a'], settings = {} }) {
  const folder = temporaryFolder()
  const port = await freePort()
  const config = writeSettings(folder, { platform, port, connections, settings })
  async function makeKey(...more) {
    const given = ['keys', 'create', '--name', 'goal', '--connections', '*', '--config', config, ...more]
    const { stdout } = await promisify(execFile)(command, given, { env: environment() })
    return stdout.trim().split('\n').at(-1)
  }
  const key = await makeKey()
  const logFile = join(folder, 'log')
  const log = openSync(logFile, 'a')
  const child = spawn(command, ['serve', '--config', config], { stdio: ['ignore', 'ignore', log], env: environment() })
  closeSync(log)
  remember(child)
  const running = { child, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
  const origin = `http://127.0.0.1:${port}`
  await answers(`${origin}/healthz`, running)
  let isClosed = false
  let peakAtEnd
  return {
    origin,
    port,
    key,
    makeKey,
    /** events of the log since then */
    events: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    residentMiB: () => statusMiB(child.pid, 'VmRSS'),
    /** what it had, once it has ended */
    peakMiB: () => peakMiBOf(child.pid) ?? peakAtEnd,
    /** the largest resident memory is measured from here on */
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    processorMs: () => cpuMsOf(child.pid),
    crashed: () => !isClosed && running.hasEnded(),
    close() {
      if (!isClosed) peakAtEnd = peakMiBOf(child.pid)
      isClosed = true
      return stop(running)
    },
  }
}
