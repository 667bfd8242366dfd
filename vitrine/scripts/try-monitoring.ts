// What no test without a server of Prometheus shows: it scrapes a running service for some seconds, takes the rules, and has
// an answer to every question of the dashboard. Needs Prometheus on the path: node scripts/try-monitoring.ts [--seconds N]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { operatorToken } from '../test/stored-connections/program.ts'
import { expressionsOf, folder as given, readDashboard } from '../test/operations/monitoring.ts'
import { startScene } from '../test/operations/scene.ts'
import { freePort } from '../../base/test/free-port.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })
const seconds = Number(values.seconds)
const say = (line: string) => void process.stdout.write(`${line}\n`)

/** metrics that a healthy service lacks in its first half minute; any other missing metric is a fault */
const silent = new Set(['Drift', 'Turned away', 'annotations'])

/** the example, with the token and the address of this service, and no patience */
function configure(scratch: string, target: string) {
  copyFileSync(`${given}/alerts.yaml`, join(scratch, 'alerts.yaml'))
  writeFileSync(join(scratch, 'token'), operatorToken, { mode: 0o600 })
  const job = {
    job_name: 'vitrine',
    authorization: { credentials_file: join(scratch, 'token') },
    static_configs: [{ targets: [target] }],
  }
  const file = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: [job],
  }
  writeFileSync(join(scratch, 'prometheus.yaml'), JSON.stringify(file))
}

async function startPrometheus(scratch: string) {
  const port = await freePort()
  const options = [
    `--config.file=${scratch}/prometheus.yaml`,
    `--storage.tsdb.path=${scratch}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]
  const server = spawn('prometheus', options, { stdio: ['ignore', 'inherit', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) break
    if (tries > 100) throw new Error('Prometheus does not start')
    await sleep(100)
  }
  return {
    url,
    async close() {
      const gone = once(server, 'exit')
      server.kill('SIGKILL')
      await gone
    },
  }
}

/** the series of an answer, or why there is none */
async function answer(url: string, expr: string): Promise<number | string> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`)
  const { status, data, error } = await response.json()
  return status === 'success' ? data.result.length : String(error)
}

async function judgeDashboard(url: string): Promise<number> {
  let faults = 0
  for (const { panel, expr } of expressionsOf(readDashboard())) {
    const got = await answer(url, expr)
    const isFault = typeof got === 'string' || (got === 0 && !silent.has(panel))
    if (isFault) faults++
    say(`${isFault ? 'FAULT ' : '      '}${panel.padEnd(36)} ${typeof got === 'string' ? got : `${got} series`}`)
  }
  return faults
}

async function judgeRules(url: string): Promise<number> {
  const { data } = await (await fetch(`${url}/api/v1/rules`)).json()
  const rules: any[] = data.groups.flatMap((group: any) => group.rules)
  const sick = rules.filter(({ health }) => health !== 'ok')
  const firing = rules.filter(({ state }) => state === 'firing')
  say(`${rules.length} rules, ${sick.length} that cannot be judged, ${firing.length} that fire`)
  for (const { name, lastError } of sick) say(`FAULT ${name}: ${lastError}`)
  for (const { name } of firing) say(`FAULT ${name} fires over a healthy service`)
  return sick.length + firing.length
}

const scratch = mkdtempSync(join(tmpdir(), 'vitrine-monitoring-'))
const scene = await startScene()
let faults = 1
try {
  configure(scratch, new URL(scene.installation.operatorUrl).host)
  const prometheus = await startPrometheus(scratch)
  try {
    say(`Prometheus scrapes ${scene.installation.operatorUrl} for ${seconds} s.`)
    for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt; await sleep(500))
      await scene.traffic()
    faults = (await judgeDashboard(prometheus.url)) + (await judgeRules(prometheus.url))
  } finally {
    await prometheus.close()
  }
} finally {
  await scene.close()
  rmSync(scratch, { recursive: true })
}
say(faults === 0 ? 'Every panel has an answer. None was drawn: that takes a Grafana.' : `${faults} faults`)
process.exit(faults === 0 ? 0 : 1)
