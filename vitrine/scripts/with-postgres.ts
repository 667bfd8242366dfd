// Runs a command over a fresh PostgreSQL database, which is dropped afterwards: node scripts/with-postgres.ts COMMAND…
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freshDatabase, noPostgres } from '../../base/test/postgres.ts'

const [command = '', ...args] = process.argv.slice(2)
if (noPostgres !== false) {
  process.stderr.write(`${noPostgres}\n`)
  process.exit(1)
}
const database = await freshDatabase()
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, VITRINE_STORE: database.url } })
const [code] = await once(child, 'exit')
await database.drop()
process.exit(Number(code ?? 1))
