// Replicas as their operator runs them, `bin/vitrine serve` over one PostgreSQL database and one Redis, each with its part of a
// core of its own.
import { execFile } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshDatabase } from '../../../base/test/postgres.ts'
import { answers, environment, freePort, start, stop } from '../child.mjs'
import { temporaryFolder } from '../leftovers.mjs'
import { makeShare, pin } from './share.mjs'

const command = join(import.meta.dirname, '../../bin/vitrine')

function writeSettings(folder, name, settings) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(settings))
  return file
}

async function makeKeys(config, count) {
  const keys = []
  for (let n = 0; n < count; n++) {
    const given = ['keys', 'create', '--name', `bench${n}`, '--connections', '*', '--config', config]
    const { stdout } = await promisify(execFile)(command, given, { env: environment() })
    keys.push(stdout.trim().split('\n').at(-1))
  }
  return keys
}

/** `part` of a core each, the first on core 0; `keys` facade keys, each with a rate that is counted and never reached */
export async function startReplicas({ count, platform, redis, part, keys }) {
  const folder = temporaryFolder()
  const database = await freshDatabase()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(join(folder, 'key.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const common = {
    operatorListen: 'off',
    store: database.url,
    ...(redis && { redis }),
    log: 'off',
    rateLimit: { perMinute: 1_000_000 },
    upstream: { baseUrl: platform, concurrency: 64 },
    connections: { a: { keyId: `BENCH0000${count}`, issuerId: randomUUID(), privateKeyFile: 'key.p8' } },
  }
  const replicas = []
  for (let n = 0; n < count; n++) {
    const port = await freePort()
    const config = writeSettings(folder, `replica${n}`, { ...common, listen: `127.0.0.1:${port}` })
    const child = await start([command, 'serve', '--config', config])
    const origin = `http://127.0.0.1:${port}`
    await answers(`${origin}/readyz`, child)
    const share = makeShare(`${count}-${n}`, part)
    share?.take(child.pid)
    replicas.push({ origin, config, child, share, isPinned: pin(child.pid, n) })
  }
  return {
    replicas,
    origins: replicas.map(({ origin }) => origin),
    pids: replicas.map(({ child }) => child.pid),
    /** whether each has its part, and no more */
    isHeld: replicas.every(({ share, isPinned }) => share && isPinned),
    keys: await makeKeys(replicas[0].config, keys),
    async close() {
      for (const { child, share } of replicas) {
        await stop(child)
        share?.remove()
      }
      await database.drop()
    },
  }
}
