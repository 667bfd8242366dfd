// Scarce resources for the whole process: a log that is not read, and a small heap under large answers.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { operatorToken } from '../stored-connections/program.ts'
import { page } from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { accountOf, startRunning } from './service-process.ts'

/** many small requests over few sockets */
async function askMany(url: string, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let left = count
  const caller = async () => {
    while (left-- > 0) {
      const req = request(new URL('/healthz', url), { agent }).end()
      const [res] = await once(req, 'response', { signal: AbortSignal.timeout(10_000) })
      assert.equal(res.statusCode, 200)
      res.resume()
      await once(res, 'end')
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
  agent.destroy()
}

test(
  'F166: a log that is not read delays no request, and later reports the number of dropped lines',
  { timeout: 60_000 },
  async (t) => {
    const running = await startRunning(t, { settings: { log: 'all' } })
    const { folder, url } = running
    await running.kill('SIGTERM')
    const fifo = join(folder, 'log')
    execFileSync('mkfifo', [fifo])
    const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const writing = openSync(fifo, 'w')
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_'))
    const env = { ...Object.fromEntries(kept), NODE_OPTIONS: '', VITRINE_OPERATOR_TOKEN: operatorToken }
    const child = spawn(resolve('bin/vitrine'), ['serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', writing] })
    closeSync(writing)
    const reader = new Socket({ fd: reading, readable: true, writable: false })
    const gone = once(child, 'exit')
    t.after(async () => {
      child.kill('SIGKILL')
      await gone
      reader.destroy()
    })
    await running.served(10_000)
    // a line has at least 200 bytes; the pipe holds 64 kB, and the queue behind it at most a megabyte
    const count = 9_000
    await askMany(url, count)
    await running.served(1_000)
    const rssKb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])
    assert.ok(rssKb < 256 * 1_024, `${rssKb} kB`)
    let text = ''
    reader.on('data', (part: Buffer) => (text += part))
    const dropped = () =>
      text
        .split('\n')
        .filter((line) => line.includes('"kind":"dropped"'))
        .map((line) => JSON.parse(line).lines as number)
    for (const until = performance.now() + 6_000; dropped().length === 0; await sleep(50))
      assert.ok(performance.now() < until, 'nothing was said of dropped lines')
    await running.served(1_000)
    await sleep(300)
    const told = text.split('\n').filter((line) => line.includes('"kind":"answered"')).length
    const lost = dropped().reduce((sum, lines) => sum + lines, 0)
    assert.ok(told + lost >= count, `${told} lines and ${lost} dropped, of ${count}`)
    t.diagnostic(`${told} lines were written, ${lost} dropped; ${Math.round(rssKb / 1_024)} MB`)
    child.kill('SIGTERM')
    assert.deepEqual(await gone, [0, null])
  },
)

/** the resources in an answer, counted as it arrives: parsing such pages here would stall the test, and the service would cut it off */
async function countItems(url: string, path: string, key: string) {
  const req = request(new URL(path, url), { headers: { authorization: `Bearer ${key}` }, agent: false }).end()
  const [res] = await once(req, 'response')
  const mark = Buffer.from('"id":"f')
  let count = 0
  let rest = Buffer.alloc(0)
  const countIn = (text: Buffer) => {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) count++
  }
  for await (const part of res as AsyncIterable<Buffer>) {
    // a match across two parts, without copying either: half a gigabyte of copies would slow the test itself
    countIn(Buffer.concat([rest, part.subarray(0, mark.length - 1)]))
    countIn(part)
    rest = Buffer.concat([rest, part.subarray(-(mark.length - 1))]).subarray(-(mark.length - 1))
  }
  return { status: res.statusCode as number, count }
}

test(
  'F176: with a small heap and large pages the service answers or rejects, and does not crash',
  { timeout: 120_000 },
  async (t) => {
    // eight million bytes in members of the usual size
    const comment = 'x'.repeat(40_000)
    const data = Array.from({ length: 190 }, (_, n) => ({
      type: 'betaFeedbackScreenshotSubmissions',
      id: `f${n}`,
      attributes: { comment },
    }))
    const large = Buffer.from(JSON.stringify({ data, links: {} }))
    assert.ok(large.length > 7_500_000 && large.length < 8 * 1_024 * 1_024)
    const running = await startRunning(t, {
      script: (call, res) => send(res, call.path.startsWith('/v1/apps') ? large : page.healthy),
      upstream: { timeoutMs: 90_000, headersMs: 60_000, idleMs: 60_000 },
      environment: { NODE_OPTIONS: '--max-old-space-size=192' },
    })
    const { url, key, act } = running
    for (const id of ['second', 'third'])
      assert.equal((await act('POST', '/connections', { ...accountOf(id), keyId: id })).status, 201)
    const pathOf = (n: number) =>
      `/v1/connections/${['studio', 'second', 'third'][n % 3]}/apps/a${n}/beta-feedback-screenshot-submissions?limit=200`
    const outcomes: Record<number, number> = {}
    let next = 0
    const caller = async () => {
      while (next < 48) {
        const { status, count } = await countItems(url, pathOf(next++), key)
        if (status === 200) assert.equal(count, data.length)
        outcomes[status] = (outcomes[status] ?? 0) + 1
      }
    }
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 32 }, caller)).catch(async (error: unknown) => {
      // the test checks whether the process crashed
      await sleep(500)
      const [code, ms] = [running.exitCode(), Math.round(performance.now() - startedAt)]
      throw new Error(`cut after ${ms} ms and ${JSON.stringify(outcomes)}; exit: ${code}`, { cause: error })
    })
    assert.deepEqual(
      Object.keys(outcomes).filter((status) => status !== '200' && status !== '503'),
      [],
      JSON.stringify(outcomes),
    )
    assert.ok((outcomes[200] ?? 0) > 0)
    assert.equal(running.exitCode(), null)
    await running.served()
    t.diagnostic(JSON.stringify(outcomes))
  },
)
