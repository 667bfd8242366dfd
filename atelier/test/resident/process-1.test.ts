// The resident as process 1 of a process namespace, as in a container.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until, untilEqual } from '../../../base/test/until.ts'
import { Client, program, whole } from './client.ts'
import { helloFrame } from './frames.ts'
import { asProcess1, openAt } from './own-user.ts'

const { skip } = asProcess1

test('it says so, ignores broken frames until the next HELLO, and goes on', { skip }, async (t) => {
  const { client } = openAt(t, asProcess1)
  assert.equal((await client.hello()).payload[17], 1)
  client.start(1, ['sh', '-c', 'sleep 1000'])
  await client.next(1, 'started')
  client.child.stdin!.write(Buffer.alloc(1000, 255))
  client.start(2, ['echo', 'lost'])
  await client.hello()
  client.start(3, ['echo', 'found'])
  assert.equal((await whole(client, 3)).stdout, 'found\n')
  assert.ok(!client.frames.some(({ command }) => command === 2))
})

test('SIGTERM ends it at once with 143, and everything with it', { skip }, async (t) => {
  const { client, ids } = openAt(t, asProcess1)
  client.start(1, ['sh', '-c', 'trap "" TERM; (setsid sleep 1000 &); kill -TERM 1; while :; do sleep 1; done'])
  const [code] = (await once(client.child, 'exit')) as [number]
  assert.equal(code, 143)
  await untilEqual(async () => ids(), [])
})

test('it waits for processes that others put into its namespace, and leaves them alone', { skip }, async (t) => {
  const { client, ids } = openAt(t, asProcess1)
  await client.hello()
  const usual = ids()
  const [inner] = usual
  const stranger = `setpriv --reuid=$(stat -c %u /proc/${inner}) --clear-groups sh -c 'sleep 1000 & echo $!' 2>/dev/null`
  const out = execFileSync('nsenter', ['--target', `${inner}`, '--pid', 'sh', '-c', `${stranger} | head -1`], {
    encoding: 'utf8',
  })
  client.start(1, ['sh', '-c', `(sleep 0.05 &); kill -0 ${out.trim()} && echo alive`])
  assert.equal((await whole(client, 1)).stdout, 'alive\n')
  client.send(7, 1)
  await client.next(1, 'killed')
  client.start(2, ['kill', '-KILL', out.trim()])
  assert.equal((await whole(client, 2)).value, 0)
  await untilEqual(async () => ids(), usual)
})

/** nanoseconds for which a process had a processor */
const busyNs = (id: number): number => Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0])

test('after the end of its input it sleeps until another writer comes', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'resident-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const fifo = join(folder, 'input')
  execFileSync('mkfifo', [fifo])
  const child = spawn('sh', ['-c', `exec ${asProcess1.around.join(' ')} ${program} <${fifo}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const client = new Client(child)
  for (let round = 0; round < 3; round++) {
    const writer = openSync(fifo, 'w')
    const nonce = randomBytes(16)
    writeSync(writer, helloFrame(nonce))
    assert.deepEqual((await client.next(0, 'hello')).payload.subarray(0, 16), nonce)
    closeSync(writer)
    const [id] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').map(Number)
    await pause(100)
    const before = busyNs(id!)
    await pause(300)
    assert.ok(busyNs(id!) - before < 30_000_000, `${busyNs(id!) - before} ns`)
  }
})

test('it sleeps while commands wait for credit, for input, or for nothing', { skip }, async (t) => {
  const { client, ids } = openAt(t, asProcess1)
  await client.hello()
  const [id] = ids()
  client.start(1, ['sh', '-c', 'yes'], { credit: 10 })
  client.start(2, ['sleep', '1000'], { flags: 1 })
  await client.next(2, 'inputCredit')
  client.send(3, 2, Buffer.alloc(65_536))
  client.send(3, 2, Buffer.alloc(65_536))
  client.start(3, ['sh', '-c', 'echo unread; exit 1'], { credit: 0 })
  client.start(4, ['sh', '-c', 'exec <&- >&- 2>&-; sleep 1000'], { flags: 2 })
  client.start(5, ['sh', '-c', 'exec >&- 2>&-; sleep 1000 &'])
  for (const one of [1, 2, 3, 4, 5]) await client.next(one, 'started')
  await client.next(5, 'exit')
  await until(() => client.frames.some(({ type, command }) => type === 68 && command === 1))
  await pause(100)
  const before = busyNs(id!)
  await pause(300)
  assert.ok(busyNs(id!) - before < 30_000_000, `${busyNs(id!) - before} ns`)
})
