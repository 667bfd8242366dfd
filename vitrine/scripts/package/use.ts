// Uses the package as it is installed in a folder, over its own demo: node use.ts FOLDER. What a newcomer types is typed
// here; what the demo prints is all that it knows.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder = ''] = process.argv.slice(2)
const program = 'node_modules/.bin/vitrine'

function start(command: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const own = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env }
  // a group of its own, so that all of it can be ended as Ctrl-C would
  return spawn(command, args, { cwd: folder, env: own, stdio: 'pipe', detached: true })
}

function stop(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  } catch {
    // it has ended by itself
  }
}

/** what it says on standard output, as it comes; and its complaints, for when it fails */
function listen(child: ChildProcess): { out: string; err: string } {
  const said = { out: '', err: '' }
  child.stdout?.on('data', (part: Buffer) => (said.out += String(part)))
  child.stderr?.on('data', (part: Buffer) => (said.err += String(part)))
  return said
}

async function run(command: string, args: readonly string[], env: Record<string, string>, input = ''): Promise<string> {
  const child = start(command, args, env)
  const said = listen(child)
  child.stdin?.end(input)
  await once(child, 'close', { signal: AbortSignal.timeout(60_000) })
  assert.equal(child.exitCode, 0, `${command} ${args.join(' ')}: ${said.err}${said.out}`)
  return said.out
}

/** waits until it has said so much, or for a minute at most */
async function hear(child: ChildProcess, last: RegExp): Promise<string> {
  const said = listen(child)
  const late = AbortSignal.timeout(60_000)
  while (!last.test(said.out)) {
    assert.ok(!late.aborted && child.exitCode === null, `it does not say ${last}: ${said.err}${said.out}`)
    await sleep(50)
  }
  return said.out
}

/** `line` is the command that the demo prints for a terminal, key and all */
async function useAll(url: string, key: string, line: string | undefined): Promise<void> {
  const answer = await fetch(`${url}/v1/connections/demo/apps?limit=3&fields=name`, {
    headers: { authorization: `Bearer ${key}` },
  })
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as { items: object[] }).items.length, 3)
  assert.match(await (await fetch(`${url}/docs`)).text(), /<html/)
  const env = { VITRINE_URL: url, VITRINE_KEY: key, VITRINE_CONNECTION: 'demo' }
  assert.match(await run('node', ['new-feedback.ts', '3650'], env), /^64\t\S+\tTidal Charts$/m)
  const table = await run(program, ['read', 'listApps', '--all', '--output', 'csv'], env)
  assert.equal(table.trimEnd().split('\n').length, 1 + 24, table)
  assert.match(String(line), / node_modules\/\.bin\/vitrine read /, 'the demo prints no line that shows a table')
  assert.match(await run('/bin/sh', ['-c', `${line} --output table`], {}), /Tidal Charts/)
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'try', version: '0' } }
  const hello = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
  assert.match(await run(program, ['mcp'], env, hello), /"serverInfo"/)
}

/** its page, a file that the page names, and a session: all of the console that can go missing on the way into a package */
async function useConsole(url: string, token: string): Promise<void> {
  const page = await fetch(`${url}/`)
  assert.equal(page.status, 200, await page.clone().text())
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
  const file = await fetch(`${url}${script}`)
  assert.deepEqual([file.status, file.headers.get('content-encoding')], [200, 'gzip'], script)
  const session = await fetch(`${url}/operator/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  assert.equal(session.status, 201)
  assert.match(session.headers.get('set-cookie') ?? '', /^vitrine_session_\d+=/)
}

assert.match(await run(program, ['--version'], {}), /^\d+\.\d+\.\d+$/m)
assert.match(await run(program, ['routes'], {}), /"operation": "listApps"/)
const anyPort = '127.0.0.1:0'
const demo = start(program, ['demo'], { VITRINE_LISTEN: anyPort, VITRINE_OPERATOR_LISTEN: anyPort })
try {
  const said = await hear(demo, /Ctrl-C stops it/)
  const [, url] = /^ {2}facade {2,}(http\S+)$/m.exec(said) ?? []
  const [, key] = /^ {2}facade key {2,}(vtr_\S+)$/m.exec(said) ?? []
  assert.ok(url !== undefined && key !== undefined, said)
  const [, operatorUrl] = /^ {2}(?:operator|console) {2,}(http\S+)/m.exec(said) ?? []
  const [, token] = /^ {2}its token {2,}(\S+)$/m.exec(said) ?? []
  assert.ok(operatorUrl !== undefined && token !== undefined, said)
  await useConsole(operatorUrl, token)
  await useAll(url, key, /^ {2}(VITRINE_KEY=.*)$/m.exec(said)?.[1])
} finally {
  stop(demo)
  if (demo.exitCode === null && demo.signalCode === null) await once(demo, 'close')
}
