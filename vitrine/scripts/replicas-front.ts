// In place of bin/vitrine: `serve` becomes as many replicas as REPLICAS says, behind a balancer that listens where the one was to
// listen; every other command is the program's own. It ends as the one would: on SIGTERM, once they all have.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startBalancer } from '../../base/test/balancer.ts'
import { freePort } from '../../base/test/free-port.ts'

const bin = join(import.meta.dirname, '../bin/vitrine')
const given = process.argv.slice(2)

async function run(): Promise<number> {
  const [code] = await once(spawn(bin, given, { stdio: 'inherit' }), 'exit')
  return Number(code ?? 1)
}

/** the first replica has the requested operator port */
async function startOne(number: number) {
  const port = await freePort()
  const other = number > 0 && { VITRINE_OPERATOR_LISTEN: `127.0.0.1:${await freePort()}` }
  const env = { ...process.env, VITRINE_LISTEN: `127.0.0.1:${port}`, ...other }
  const child = spawn(bin, given, { stdio: ['ignore', 'inherit', 'inherit'], env })
  const ended = once(child, 'exit').then(([code]) => Number(code ?? 1))
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { port, child, ended }
    if (child.exitCode !== null) process.exit(child.exitCode)
    await pause(30)
  }
}

async function serve(): Promise<number> {
  const { listen } = JSON.parse(readFileSync(given[given.indexOf('--config') + 1] ?? '', 'utf8'))
  const count = Number(process.env['REPLICAS'] ?? 2)
  const replicas = await Promise.all(Array.from({ length: count }, (_, number) => startOne(number)))
  const backends = replicas.map(({ port }) => ({ host: '127.0.0.1', port }))
  const balancer = await startBalancer({ backends, port: Number(String(listen).split(':').at(-1)) })
  const end = () => replicas.forEach(({ child }) => child.kill('SIGTERM'))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
  // a replica that exits ends all of them, so that the failure is noticed
  const first = await Promise.race(replicas.map(({ ended }) => ended))
  end()
  const codes = await Promise.all(replicas.map(({ ended }) => ended))
  await balancer.close()
  return Math.max(first, ...codes)
}

process.exit(await (given[0] === 'serve' ? serve() : run()))
