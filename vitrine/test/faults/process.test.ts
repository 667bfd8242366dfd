// The process itself: signals, too few descriptors, a suspended process, a defect.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../stored-connections/program.ts'
import { delayed } from '../support/paced-platform.ts'
import { page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { until } from '../../../base/test/until.ts'
import { startRunning } from './service-process.ts'

/** reads that can share no answer */
const pathOf = (n: number): string => `/v1/connections/studio/subscriptions/s${n}/offer-codes`

test('F168: SIGTERM under load loses no answer: the service becomes unready, finishes its requests, then exits', async (t) => {
  const settings = { drainSeconds: 1 }
  const running = await startRunning(t, { script: delayed(150), upstream: { concurrency: 24 }, settings })
  const { url, key, pid } = running
  const stopping = new AbortController()
  let asked = 0
  const statuses: number[] = []
  const failures: string[] = []
  // as behind a balancer, which checks readiness and stops sending requests once it fails
  const caller = async () => {
    while (!stopping.signal.aborted) {
      const answer = await ask(url, pathOf(asked++), key).catch((error: Error) => void failures.push(error.message))
      if (answer) statuses.push(answer.status)
    }
  }
  const ready: string[] = []
  const balancer = async () => {
    while (!stopping.signal.aborted) {
      const answer = await ask(url, '/readyz', '').catch((error: Error) => ({ status: error.message, json: undefined }))
      ready.push(String(answer.json?.error?.code ?? answer.status))
      if (answer.status !== 200) stopping.abort()
      await sleep(20)
    }
  }
  const load = Promise.all([balancer(), ...Array.from({ length: 30 }, caller)])
  await until(() => statuses.length > 20)
  const begun = performance.now()
  await running.kill('SIGTERM')
  const tookMs = performance.now() - begun
  await load
  assert.equal(ready.at(-1), 'stopping')
  assert.deepEqual(failures, [])
  assert.deepEqual([statuses.length, new Set(statuses)], [asked, new Set([200])])
  assert.ok(tookMs < 15_000, `${tookMs} ms`)
  assert.equal(running.exitCode(), 0)
  await assert.rejects(ask(url, '/healthz', ''), /ECONNREFUSED/)
  assert.ok(!existsSync(`/proc/${pid()}`))
  t.diagnostic(`${asked} asked, none lost; gone after ${tookMs.toFixed(0)} ms`)
})

const noLimits: string | false =
  spawnSync('prlimit', ['--version']).status === 0 ? false : 'prlimit is not installed: descriptors cannot be limited'
if (noLimits !== false) process.stderr.write(`\n*** THE TEST OF DESCRIPTORS IS SKIPPED: ${noLimits} ***\n\n`)

/** processor time of a process, in milliseconds */
function burntMs(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

test(
  'F174: with 64 descriptors callers are served or rejected at once, and all works when descriptors are free again',
  { skip: noLimits },
  async (t) => {
    const running = await startRunning(t)
    const { url, pid, key } = running
    execFileSync('prlimit', ['--pid', String(pid()), '--nofile=64:64'])
    const open = () => readdirSync(`/proc/${pid()}/fd`).length
    const before = open()
    const sockets: Socket[] = []
    t.after(() => sockets.forEach((socket) => socket.destroy()))
    const hold = async (count: number) => {
      for (let n = 0; n < count; n++)
        sockets.push(connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}))
      await sleep(300)
    }
    const letGo = async () => {
      for (const socket of sockets.splice(0)) socket.destroy()
      for (const endsAt = performance.now() + 10_000; open() > before + 4; await sleep(50))
        assert.ok(performance.now() < endsAt, `${open()} descriptors, ${before} before`)
      await running.served()
    }
    const outcomeOf = (n: number) =>
      ask(url, pathOf(n), key).then(
        ({ status, json }) => String(json.error?.code ?? status),
        (error: NodeJS.ErrnoException) => error.code ?? 'cut',
      )
    const outcomes = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) => Promise.race([outcomeOf(n), sleep(4_000).then(() => 'nothing')])),
      )
    const fine = ['ECONNRESET', 'EPIPE', '200', 'upstream_unavailable']

    // more callers than descriptors
    await hold(150)
    const [burnt, from] = [burntMs(pid()), performance.now()]
    for (const outcome of await outcomes(20)) assert.ok(fine.includes(outcome), outcome)
    await sleep(Math.max(0, 1_000 - (performance.now() - from)))
    const share = (burntMs(pid()) - burnt) / (performance.now() - from)
    assert.ok(share < 0.8, `it spins: ${share.toFixed(2)} of a processor`)
    await letGo()

    // enough for callers, and almost none for the platform
    await hold(64 - open() - 5)
    const scarce = await outcomes(8)
    for (const outcome of scarce) assert.ok(fine.includes(outcome), outcome)
    await letGo()
    t.diagnostic(`${share.toFixed(2)} of a processor under the flood; with five descriptors left: ${scarce.join(' ')}`)
  },
)

test('F178: a process that was suspended continues: late callers get an answer, and new ones are served', async (t) => {
  const running = await startRunning(t, { script: delayed(200), upstream: { timeoutMs: 2_000 } })
  const { pid, url, key, platform } = running
  await running.served()
  const late = Array.from({ length: 12 }, (_, n) => ask(url, pathOf(n), key))
  await sleep(100)
  process.kill(pid(), 'SIGSTOP')
  await sleep(3_000)
  process.kill(pid(), 'SIGCONT')
  const resumed = performance.now()
  for (const { status, json } of await Promise.all(late)) {
    assert.ok(status === 200 || status === 504, `${status} ${JSON.stringify(json)}`)
    if (status === 200) assert.deepEqual(json, page.answer)
    else assert.equal(json.error.code, 'upstream_timeout')
  }
  assert.ok(performance.now() - resumed < 3_000)
  await running.served(2_000)
  assert.ok(platform.calls.length > 0)
})

test('F179: SIGPIPE has no effect on the service', async (t) => {
  const running = await startRunning(t)
  for (let n = 0; n < 5; n++) {
    process.kill(running.pid(), 'SIGPIPE')
    await running.served(1_000)
  }
  assert.equal(running.exitCode(), null)
})

test('F177: an unhandled promise rejection ends the process with a failure, and the next start serves', async (t) => {
  const hook = `process.on('SIGWINCH',()=>{void(Promise.reject(new(TypeError)('nobody awaits this')))})`
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
  const running = await startRunning(t, { environment })
  process.kill(running.pid(), 'SIGWINCH')
  for (const endsAt = performance.now() + 5_000; running.exitCode() === null; await sleep(20))
    assert.ok(performance.now() < endsAt, 'it goes on in an unknown state')
  assert.equal(running.exitCode(), 1)
  await assert.rejects(running.read(), /ECONNREFUSED/)
  const readyMs = await running.start()
  assert.ok(readyMs < 5_000, `${readyMs} ms`)
  await running.served(1_000)
})

test('a slow reader is not disconnected because the service itself stalled', { timeout: 60_000 }, async (t) => {
  const comment = 'x'.repeat(40_000)
  const data = Array.from({ length: 190 }, (_, n) => ({
    type: 'betaFeedbackScreenshotSubmissions',
    id: `f${n}`,
    attributes: { comment },
  }))
  const running = await startRunning(t, {
    script: (_, res) => send(res, Buffer.from(JSON.stringify({ data, links: {} }))),
  })
  const path = '/v1/connections/studio/apps/a/beta-feedback-screenshot-submissions?limit=200'
  const headers = { authorization: `Bearer ${running.key}` }
  const req = request(new URL(path, running.url), { headers, agent: false }).end()
  const [res] = await once(req, 'response')
  assert.equal(res.statusCode, 200)
  // the log is read a little, then for six seconds nothing can be read since nothing is sent
  await sleep(4_000)
  const first: Buffer = res.read()
  await sleep(1_500)
  process.kill(running.pid(), 'SIGSTOP')
  await sleep(6_000)
  process.kill(running.pid(), 'SIGCONT')
  await sleep(200)
  const parts: Buffer[] = await res.toArray()
  assert.equal(JSON.parse(Buffer.concat([first, ...parts]).toString()).items.length, data.length)
})
