import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { bin, runInShell, startLongList, environment, vitrine } from '../support/command-line.ts'

const walk = ['read', 'listApps', '--all', '--fields', 'name', '--limit', '10', '--timeout', '20s', '--output']

test('incomplete NDJSON says so in its last line and exit code, and can be continued', async (t) => {
  const { env, list } = await startLongList(t, { size: 35, failsAt: 20 })
  const { code, out, err } = await vitrine([...walk, 'ndjson'], env)
  assert.equal(code, 6)
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(lines.length, 21)
  assert.deepEqual(lines[19], { id: '20', name: 'app 20' })
  const last = lines[20]
  assert.deepEqual(Object.keys(last), ['error', 'cursor', 'items'])
  assert.deepEqual([last.error.type, last.error.code, last.items], ['upstream_error', 'upstream_failed', 20])
  assert.match(last.error.requestId, /^req_/)
  assert.equal(JSON.parse(err).error.requestId, last.error.requestId)

  delete list.failsAt
  const rest = await vitrine([...walk, 'ndjson', '--cursor', last.cursor], env)
  assert.equal(rest.code, 0, rest.err)
  const ids = rest.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  assert.deepEqual(
    ids,
    Array.from({ length: 15 }, (_, i) => String(i + 21)),
  )
})

test('incomplete CSV ends with a whole row, an exit code and how to continue; JSON and tables print nothing', async (t) => {
  const { env } = await startLongList(t, { size: 35, failsAt: 20 })
  const csv = await vitrine([...walk, 'csv'], env)
  assert.equal(csv.code, 6)
  assert.equal(csv.out.split('\r\n').length, 22)
  assert.match(csv.out, /\r\n20,app 20\r\n$/)
  assert.match(csv.err, /code {8}upstream_failed \(upstream_error\)/)
  assert.match(csv.err, /20 items printed, which is not all\n {2}continue {4}--cursor \S+\n$/)
  for (const format of ['json', 'table']) {
    const { code, out, err } = await vitrine([...walk, format], env)
    assert.deepEqual([code, out], [6, ''])
    assert.match(err, format === 'json' ? /^\{"error":/ : /20 items read, nothing printed/)
  }
})

test('a read that fails at once prints no empty list', async (t) => {
  const { env } = await startLongList(t, { size: 35, failsAt: 0 })
  const { code, out } = await vitrine([...walk, 'ndjson'], env)
  assert.equal(code, 6)
  const last = JSON.parse(out)
  assert.deepEqual([last.error.code, last.cursor, last.items], ['upstream_failed', null, 0])
})

test('a closed pipe ends the read silently, without further platform calls', async (t) => {
  const { env, platform } = await startLongList(t, { size: 200_000 })
  const args = 'read listApps --all --fields name --limit 200 --output'
  for (const format of ['ndjson', 'csv']) {
    platform.calls.length = 0
    const { out, err } = await runInShell(`"$0" ${args} ${format} | head -n 1; echo "ended \${PIPESTATUS[0]}"`, env)
    assert.match(out, /ended 141\n$/)
    assert.equal(err, '')
    assert.ok(platform.calls.length < 500, String(platform.calls.length))
  }
})

test('a slow pipe slows the read down, which holds only a few pages', async (t) => {
  const long = 'x'.repeat(2_000)
  const { env, platform } = await startLongList(t, { size: 200_000, attributes: () => ({ name: long }) })
  const args = ['read', 'listApps', '--all', '--fields', 'name', '--limit', '200', '--output', 'ndjson']
  const child = spawn(bin, args, { env: environment(env), stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'readable')
  let calls = -1
  while (platform.calls.length > calls) {
    calls = platform.calls.length
    await new Promise((ok) => setTimeout(ok, 1_000))
  }
  assert.ok(calls < 20, `${calls} pages of 400 kB were read for unreachable`)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  child.stdout.resume()
  assert.deepEqual(await ended, [130, null])
})

for (const [signal, wanted] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends paging with ${wanted}, a last line, and the command that continues`, async (t) => {
    const held = Promise.withResolvers<void>()
    t.after(() => held.resolve())
    const { env } = await startLongList(t, { size: 100, pause: async (at) => (at >= 20 ? held.promise : undefined) })
    const child = spawn(bin, [...walk, 'ndjson'], { env: environment(env) })
    const [out, err]: [string[], string[]] = [[], []]
    child.stderr.on('data', (part: Buffer) => err.push(String(part)))
    child.stdout.on('data', (part: Buffer) => {
      out.push(String(part))
      if (!child.killed && out.join('').includes('"20"')) child.kill(signal)
    })
    assert.deepEqual(await once(child, 'close'), [wanted, null])
    const lines = out.join('').trimEnd().split('\n')
    assert.equal(lines.length, 21)
    const last = JSON.parse(lines[20] ?? '')
    assert.deepEqual([last.error.code, last.items, typeof last.cursor], ['interrupted', 20, 'string'])
    assert.equal(JSON.parse(err.join('')).error.code, 'interrupted')
  })

test('a page that cannot be written is a failure', async (t) => {
  const { env } = await startLongList(t, { size: 3 })
  const { out, err } = await runInShell(`"$0" read listApps > /dev/full; echo "ended $?"`, env)
  assert.equal(out, 'ended 1\n')
  assert.equal(err, 'vitrine: the output cannot be written (ENOSPC).\n')
  for (const command of ['read', 'read listApps --help', 'whoami', 'whoami -o table', 'completion bash', 'openapi']) {
    const lost = await runInShell(`"$0" ${command} > /dev/full; echo "ended $?"`, env)
    assert.deepEqual([lost.out, lost.err], ['ended 1\n', err], command)
  }
})

test('too many requests exit with 5, a timeout and a wrong address with 6, each with its fix', async (t) => {
  const { service } = await startLongList(t, { size: 3 })
  const key = await service.issue({ perMinute: 1 })
  const env = { VITRINE_URL: service.url, VITRINE_KEY: key, VITRINE_CONNECTION: 'acme' }
  const ask = ['read', 'listApps', '--output', 'table', '--timeout']
  assert.equal((await vitrine([...ask, '5s'], env)).code, 0)
  const limited = await vitrine([...ask, '300ms'], env)
  assert.deepEqual([limited.code, limited.out], [5, ''])
  assert.match(limited.err, /key_rate_limited.*\n.*\n.*\n {2}retry {7}in \d+ s/)

  const stranger = createServer((req, res) => void (req.url?.includes('slow') ? undefined : res.end('<html>')))
  await new Promise<void>((ok) => stranger.listen(0, '127.0.0.1', ok))
  t.after(() => {
    stranger.close()
    stranger.closeAllConnections()
  })
  const at = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  const other = await vitrine([...ask, '5s', '--url', at], env)
  assert.deepEqual([other.code, other.out], [6, ''])
  assert.match(other.err, /no answer of the service.*\n {2}Is this the address of a Vitrine\?/)
  const slow = await vitrine([...ask, '300ms', '--url', `${at}/slow`], env)
  assert.deepEqual([slow.code, slow.out], [6, ''])
  assert.match(slow.err, /no answer within 300 ms/)
  const unreachable = await vitrine([...ask, '5s', '--url', 'http://127.0.0.1:9'], env)
  assert.equal(unreachable.code, 6)
  assert.match(unreachable.err, /cannot be reached: .*\n {2}Is the service running/)
})
