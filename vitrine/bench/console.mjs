// How quick the console stays when there is much: `node bench/console.mjs [--rounds 5]`, after `npm ci`. The same pages over 5
// connections and 20 keys, over 500 and 2,000, and beside them a plain page that draws every key as a row of one table, all
// in one browser and one run.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { answers, freePort, start, stop } from './child.mjs'
import { token, visitConsole, visitPlain } from './console/pages.mjs'
import './leftovers.mjs'
import { makeHome, serveCommand } from './subjects/vitrine.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)
const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)
const sizes = { few: { connections: 5, keys: 20 }, many: { connections: 500, keys: 2_000 } }

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const say = (text) => process.stderr.write(`${text}\n`)

async function makeKeys(door, connections, count) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (let i = 0; i < count; i++) {
    const named = connections.filter((_, at) => (at * 7 + i) % 5 === 0).slice(0, 40)
    const body = JSON.stringify({ name: `dashboard-${i}`, connections: i % 3 === 0 ? ['*'] : named, expires: '90d' })
    const answer = await fetch(`${door}/operator/v1/keys`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(`a key was refused: ${await answer.text()}`)
  }
}

async function openService({ connections, keys }) {
  const port = await freePort()
  const ids = Array.from({ length: connections }, (_, i) => `studio-${String(i).padStart(3, '0')}`)
  const account = { keyId: 'BENCH00001', issuerId: crypto.randomUUID(), privateKeyFile: 'key.p8' }
  const settings = {
    operatorListen: `127.0.0.1:${port}`,
    connections: Object.fromEntries(ids.map((id) => [id, account])),
  }
  // no page of this bench asks the platform for anything
  const home = await makeHome({ platform: 'http://127.0.0.1:9', settings })
  const child = await start(['env', `VITRINE_OPERATOR_TOKEN=${token}`, ...serveCommand(home)])
  await answers(`${home.origin}/healthz`, child)
  const door = `http://127.0.0.1:${port}`
  await makeKeys(door, ids, keys)
  return { door, child }
}

function report(rows) {
  const named = (all) =>
    Object.fromEntries(Object.keys(all[0]).map((name) => [name, median(all.map((one) => one[name]))]))
  const [few, many, plain] = [named(rows.few), named(rows.many), named(rows.plain)]
  const shown = (value) => (value === undefined ? '-' : value.toFixed(value < 100 ? 1 : 0))
  const ratio = (a, b) => (a === undefined || b === undefined ? '-' : (a / b).toFixed(2))
  const head = ['', '5 / 20', '500 / 2,000', 'all drawn', 'many ÷ few', 'many ÷ all drawn']
  const lines = Object.keys(many).map((name) => [
    name,
    shown(few[name]),
    shown(many[name]),
    shown(plain[name]),
    ratio(many[name], few[name]),
    ratio(many[name], plain[name]),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...lines].map((line) => line[i].length)))
  for (const line of [head, ...lines])
    process.stdout.write(
      `${line.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ')}\n`,
    )
}

if (executablePath === undefined) throw new Error('no Chromium: apt-get install chromium, or name its path in CHROMIUM')
const services = {}
for (const [name, size] of Object.entries(sizes)) {
  say(`${name}: a service with ${size.connections} connections and ${size.keys} keys`)
  services[name] = await openService(size)
}
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
const rows = { few: [], many: [], plain: [] }
for (let round = 0; round <= rounds; round++) {
  const told = {
    few: await visitConsole(browser, services.few, sizes.few),
    many: await visitConsole(browser, services.many, sizes.many),
    plain: await visitPlain(browser, services.many),
  }
  say(round === 0 ? 'warmed up' : `round ${round} of ${rounds}`)
  // the first one compiles
  if (round > 0) for (const name of Object.keys(rows)) rows[name].push(told[name])
}
await browser.close()
for (const { child } of Object.values(services)) await stop(child)
report(rows)
