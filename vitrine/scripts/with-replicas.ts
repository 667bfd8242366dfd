// Runs a command over replicas: node scripts/with-replicas.ts [--replicas N] COMMAND…. In its arguments `{root}` stands for a
// folder whose bin/vitrine serves as ours does, with N replicas behind a balancer, over a PostgreSQL database and a Redis.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, noPostgres } from '../../base/test/postgres.ts'
import { noRedis, redisUrl } from '../../base/test/redis.ts'

const given = process.argv.slice(2)
const replicas = given[0] === '--replicas' ? given.splice(0, 2)[1] : '2'
const [command = '', ...args] = given
const missing = noPostgres || noRedis
if (missing !== false) {
  process.stderr.write(`${missing}\n`)
  process.exit(1)
}

const root = mkdtempSync(join(tmpdir(), 'vitrine-replicas-'))
mkdirSync(join(root, 'bin'))
const front = join(import.meta.dirname, 'replicas-front.ts')
const words = [process.execPath, front].map((word) => `'${word}'`).join(' ')
writeFileSync(join(root, 'bin/vitrine'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })

const database = await freshDatabase()
const child = spawn(
  command,
  args.map((word) => word.replaceAll('{root}', root)),
  {
    stdio: 'inherit',
    env: { ...process.env, VITRINE_STORE: database.url, VITRINE_REDIS: redisUrl, REPLICAS: replicas },
  },
)
const [code] = await once(child, 'exit')
await database.drop()
rmSync(root, { recursive: true })
process.exit(Number(code ?? 1))
