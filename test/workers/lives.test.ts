import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../custody/program.ts'
import { until } from '../ground/until.ts'
import { childrenOf, launch, many, read, type Scene, startScene } from './scene.ts'

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** reads without end, and tells what came of them; a socket that breaks is -1 */
function keepReading(scene: Scene, key: string, lanes: number) {
  const statuses: number[] = []
  const stop = new AbortController()
  const lane = async () => {
    while (!stop.signal.aborted) {
      const { status } = await read(scene, key).catch(() => ({ status: -1 }))
      statuses.push(status)
      if (status === -1) await sleep(5)
    }
  }
  const all = many(lanes, lane)
  return {
    statuses,
    stop: async () => {
      stop.abort()
      await all
    },
  }
}

test('a killed worker is started again, the other goes on, and no turn at the platform is lost', async (t) => {
  const scene = await startScene(t)
  const { platform, issue, pids, lines } = scene
  const { key } = await issue()
  platform.delayMs = 40
  for (let round = 0; round < 2; round++) {
    const before = await pids()
    const load = keepReading(scene, key, 24)
    await until(() => platform.running === 6)
    process.kill(before[round] ?? 0, 'SIGKILL')
    const so = load.statuses.length
    await until(async () => !(await pids()).includes(before[round] ?? 0) && lines('worker_started').length > round)
    await load.stop()
    const after = load.statuses.slice(so)
    assert.ok(after.filter((status) => status === 200).length > 10, 'the other has answered')
    assert.deepEqual(new Set(load.statuses), new Set([200, -1]))
  }
  assert.deepEqual(
    lines('worker_ended').map(({ worker, how }) => [worker, how]),
    [
      [1, 'SIGKILL'],
      [2, 'SIGKILL'],
    ],
  )
  await until(() => platform.running === 0)
  platform.mostRunning = 0
  assert.ok((await many(30, () => read(scene, key))).every(({ status }) => status === 200))
  assert.equal(platform.mostRunning, 6, 'all turns are there again')
})

test('SIGTERM under load loses no answer, also where the workers hear it too, and the status is 0', async (t) => {
  const scene = await startScene(t, { settings: { drainSeconds: 1 } })
  const { platform, issue, installation, pid, kill, exit, lines } = scene
  const { key } = await issue()
  platform.delayMs = 30
  const load = keepReading(scene, key, 16)
  await until(() => load.statuses.length > 20)
  const workers = childrenOf(pid())
  assert.equal(workers.length, 2)
  // as the terminal does with Ctrl-C, workers first
  for (const one of workers) process.kill(one, 'SIGINT')
  kill('SIGINT')
  await sleep(100)
  assert.equal((await fetch(`${installation.url}/readyz`)).status, 503)
  await sleep(200)
  await load.stop()
  assert.deepEqual(new Set(load.statuses), new Set([200]))
  assert.deepEqual((await exit())[0], 0)
  assert.ok(workers.every(isGone))
  assert.equal(lines('stopping').length, 1)
})

test('where the primary is killed, its workers end', async (t) => {
  const { pid, kill, exit } = await startScene(t)
  const workers = childrenOf(pid())
  kill('SIGKILL')
  await exit()
  await until(() => workers.every(isGone))
})

test('settings that change reach all workers, and where they are wrong, none', async (t) => {
  const scene = await startScene(t)
  const { installation, issue, kill, lines } = scene
  const { key } = await issue()
  const file = join(installation.folder, 'vitrine.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const { acme } = settings.connections
  const at = async (id: string) =>
    new Set(
      (
        await many(12, () =>
          fetch(`${installation.url}/v1/connections/${id}/apps?limit=1`, {
            headers: { authorization: `Bearer ${key}`, connection: 'close' },
          }),
        )
      ).map(({ status }) => status),
    )
  writeFileSync(file, JSON.stringify({ ...settings, connections: { acme, second: { ...acme, keyId: 'SECOND0001' } } }))
  kill('SIGHUP')
  await until(() => lines('reloaded').length === 1)
  assert.deepEqual(await at('second'), new Set([200]))
  writeFileSync(join(installation.folder, 'bad.p8'), 'no key')
  writeFileSync(
    file,
    JSON.stringify({ ...settings, connections: { acme, third: { ...acme, privateKeyFile: 'bad.p8' } } }),
  )
  kill('SIGHUP')
  await until(() => lines('reload_refused').length > 0)
  assert.deepEqual([await at('second'), await at('third')], [new Set([200]), new Set([404])])
  assert.equal(lines('reload_refused').length, 1)
})

test('a worker that is started again is as the others are, also where settings wait for a restart', async (t) => {
  const scene = await startScene(t)
  const { installation, issue, kill, lines, pids } = scene
  const { key } = await issue()
  const file = join(installation.folder, 'vitrine.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const { acme } = settings.connections
  const connections = { acme, second: { ...acme, keyId: 'SECOND0001' } }
  writeFileSync(file, JSON.stringify({ ...settings, connections, rateLimit: { perMinute: 600 } }))
  kill('SIGHUP')
  await until(() => lines('reloaded').length === 1)
  assert.deepEqual(lines('reloaded')[0].needRestart, ['rateLimit.perMinute'])
  const [first = 0] = await pids()
  process.kill(first, 'SIGKILL')
  await until(() => lines('worker_started').length === 1)
  const answers = await many(12, () => read(scene, key))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const second = `/v1/connections/second/apps?limit=1`
  assert.deepEqual(
    new Set((await many(12, () => ask(installation.url, second, key))).map(({ status }) => status)),
    new Set([200]),
  )
})

test('a wrong setting stops the start, and is said once', async (t) => {
  const { installation, ended, said } = await launch(t, {
    settings: { connections: { x: { keyId: 'K', privateKeyFile: 'none.p8' } } },
  })
  assert.equal((await ended)[0], 1)
  assert.equal(said().match(/none\.p8/g)?.length, 1, said())
  const number = await installation.command('serve', '--workers', '0')
  assert.deepEqual([number.code, number.err], [1, 'vitrine: --workers: must be a whole number from 1 to 64.\n'])
})

test('a taken port stops the start, and is said once', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((ok) => server.once('listening', ok))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  const { ended, said } = await launch(t, { settings: { listen: `127.0.0.1:${port}`, workers: 2 }, args: [] })
  assert.equal((await ended)[0], 1)
  assert.equal(said().match(/EADDRINUSE/g)?.length, 1, said())
})

test('a worker is nothing to start by hand', async (t) => {
  const { installation } = await launch(t, { args: ['--workers', '1'] })
  const { code, err } = await installation.command('worker')
  assert.equal(code, 1)
  assert.match(err, /serve --workers/)
})
