import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-demo-'))
test.after(() => rmSync(folder, { recursive: true }))

interface Demo {
  readonly child: ChildProcess
  readonly words: string
  readonly url: string
  readonly key: string
}

async function startDemo(env: Record<string, string> = { VITRINE_LISTEN: '127.0.0.1:0' }): Promise<Demo> {
  const child = spawn('bin/vitrine', ['demo', '--data', folder], { env: { ...process.env, NODE_OPTIONS: '', ...env } })
  let words = ''
  child.stdout.on('data', (part: Buffer) => (words += part))
  while (!words.includes('Ctrl-C'))
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => assert.fail('the demo ended'))])
  const url = /facade +(\S+)/.exec(words)?.[1] ?? ''
  return { child, words, url, key: /vtr_test_\w+/.exec(words)?.[0] ?? '' }
}

async function stop({ child }: Demo, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  const [code] = await once(child, 'exit')
  return code
}

/** runs the lines as they are printed */
async function paste(words: string): Promise<{ status: number; body: any }[]> {
  const lines = words.split('\n').filter((line) => line.startsWith('  curl '))
  return Promise.all(
    lines.map(async (line) => {
      const [, authorization = '', url = ''] = /-H 'Authorization: ([^']+)' '([^']+)'/.exec(line) ?? []
      const answer = await fetch(url, { headers: { authorization } })
      return { status: answer.status, body: await answer.json() }
    }),
  )
}

/** runs the line that shows a table as a shell does, in the folder where the demo was started */
function pasteRead(
  words: string,
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const line = words.split('\n').find((one) => one.startsWith('  VITRINE_KEY=')) ?? assert.fail(words)
  return new Promise((ok) =>
    execFile('/bin/sh', ['-c', line], { env: { ...process.env, NODE_OPTIONS: '', ...env } }, (error, out, err) =>
      ok({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    ),
  )
}

test('the line of the demo that shows a table works as it is pasted, also at another port than the usual one', async () => {
  const shown = await startDemo()
  const { code, out, err } = await pasteRead(shown.words)
  assert.deepEqual([code, JSON.parse(out).items.length], [0, 5], err)
  assert.equal(JSON.parse(out).items[0].name, 'Tidal Charts')
  const table = await pasteRead(shown.words.replace(/( {2}VITRINE_KEY=.*)/, '$1 --output table'))
  assert.match(table.out, /^id +name +bundleId\n6446998001 +Tidal Charts +com\.example\./)
  assert.equal(await stop(shown, 'SIGTERM'), 0)
})

test('the line works too where the demo listens on all addresses', async () => {
  const shown = await startDemo({ VITRINE_LISTEN: '0.0.0.0:0' })
  const { code, err } = await pasteRead(shown.words)
  assert.equal(code, 0, err)
  assert.equal(await stop(shown, 'SIGTERM'), 0)
})

test('the demo shows its addresses, a key and lines that work, and a second start reuses its data', async () => {
  const first = await startDemo()
  const [apps, page, linked, status, error, audit] = await paste(first.words)
  assert.deepEqual([apps?.status, apps?.body.items.length], [200, 3])
  assert.deepEqual([page?.status, page?.body.items.length], [200, 2])
  assert.equal(linked?.status, 200)
  for (const relation of ['createdByActorId', 'lastModifiedByActorId']) assert.match(linked?.body[relation], /./)
  assert.deepEqual([status?.status, status?.body.breaker], [200, 'closed'])
  assert.deepEqual([error?.status, error?.body.error.details.nearest], [400, 'name'])
  assert.deepEqual([audit?.status, audit?.body.items.at(-1).act], [200, 'keys.create'])
  assert.equal((await fetch(`${first.url}/docs`)).status, 200)
  assert.equal(await stop(first, 'SIGINT'), 0)

  const second = await startDemo()
  assert.equal(second.key, first.key)
  assert.equal((await paste(second.words))[0]?.status, 200)
  assert.equal(await stop(second, 'SIGTERM'), 0)
  assert.equal(readFileSync(join(folder, 'key'), 'utf8').trim(), first.key)
})

test('a taken port is no reason to show nothing, unless that port was asked for', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const child = spawn('bin/vitrine', ['demo', '--data', folder], {
    env: { ...process.env, NODE_OPTIONS: '', VITRINE_LISTEN: `127.0.0.1:${port}` },
  })
  let err = ''
  child.stderr.on('data', (part: Buffer) => (err += part))
  const [code] = await once(child, 'exit')
  server.close()
  assert.equal(code, 1)
  assert.match(err, /EADDRINUSE/)
})

test('the demo shows the sandbox, whatever the environment says of a real installation', async () => {
  const shown = await startDemo({
    VITRINE_LISTEN: '127.0.0.1:0',
    VITRINE_UPSTREAM_BASE_URL: 'https://platform.example',
    VITRINE_CONNECTIONS: '{"real":{"keyId":"K","privateKeyFile":"none.p8"}}',
    VITRINE_STORE: 'sqlite:/nonexistent/v.db',
  })
  assert.match(shown.key, /^vtr_test_/)
  assert.equal((await paste(shown.words))[0]?.status, 200)
  assert.equal(await stop(shown, 'SIGTERM'), 0)
})

/** waits for the first line of output: an earlier signal would end the launcher and not the program */
async function ignoresUsr1({ pid }: ChildProcess) {
  const mask = () => BigInt(`0x${/^SigIgn:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'}`)
  for (let i = 0; i < 500 && existsSync('/proc/self/status') && (mask() & 0x200n) === 0n; i++)
    await new Promise((ok) => setTimeout(ok, 2))
}

test('F179: no signal opens the inspector, from the first moment on', async () => {
  const child = spawn('bin/vitrine', ['demo', '--data', folder], {
    env: { ...process.env, NODE_OPTIONS: '', VITRINE_LISTEN: '127.0.0.1:0' },
  })
  let err = ''
  child.stderr.on('data', (part: Buffer) => (err += part))
  const begun = Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  await ignoresUsr1(child)
  for (let i = 0; i < 30; i++) {
    child.kill('SIGUSR1')
    await new Promise((ok) => setTimeout(ok, 5))
  }
  await begun
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  assert.doesNotMatch(err, /Debugger listening/)
})

test('a log that cannot be written does not end the process', async () => {
  const child = spawn('/bin/sh', ['-c', `exec bin/vitrine demo --data '${folder}' 2>/dev/full`], {
    env: { ...process.env, NODE_OPTIONS: '', VITRINE_LISTEN: '127.0.0.1:0', VITRINE_LOG: 'all' },
  })
  let words = ''
  child.stdout.on('data', (part: Buffer) => (words += part))
  while (!words.includes('Ctrl-C') && child.exitCode === null)
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  assert.equal((await paste(words))[0]?.status, 200)
  child.kill('SIGTERM')
  assert.equal((await once(child, 'exit'))[0], 0)
})
