// Runs the custom function of the spreadsheet recipe as Google's servers do: with script properties and a blocking fetch.
// `node sheet.ts FORMULA-ARGUMENT` prints {table} or {error}.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import vm from 'node:vm'

interface Asked {
  readonly headers: Readonly<Record<string, string>>
  readonly muteHttpExceptions: boolean
  readonly followRedirects: boolean
}

interface Answered {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const asking = `
const { url, headers, redirect } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
fetch(url, { headers, redirect }).then(async (r) => console.log(JSON.stringify(
  { code: r.status, headers: Object.fromEntries(r.headers), text: await r.text() })))`

function fetch(url: string, { headers, muteHttpExceptions, followRedirects }: Asked) {
  const input = JSON.stringify({ url, headers, redirect: followRedirects ? 'follow' : 'manual' })
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', asking], { input, encoding: 'utf8' })
  if (stdout === '') throw new Error(`Address unavailable: ${stderr}`)
  const answer = JSON.parse(stdout) as Answered
  if (answer.code >= 400 && !muteHttpExceptions) throw new Error(`Request failed returned code ${answer.code}`)
  return {
    getResponseCode: () => answer.code,
    getContentText: () => answer.text,
    getHeaders: () => answer.headers,
  }
}

const slept: number[] = []
const context = vm.createContext({
  PropertiesService: { getScriptProperties: () => ({ getProperty: (name: string) => process.env[name] ?? null }) },
  UrlFetchApp: { fetch },
  Utilities: { sleep: (ms: number) => void slept.push(ms) },
})
vm.runInContext(readFileSync('examples/spreadsheet/vitrine.gs', 'utf8'), context)
let said: object
try {
  said = { table: vm.runInContext(`VITRINE(${JSON.stringify(process.argv[2])})`, context) as unknown }
} catch (error) {
  said = { error: (error as Error).message }
}
process.stdout.write(JSON.stringify({ ...said, slept }))
