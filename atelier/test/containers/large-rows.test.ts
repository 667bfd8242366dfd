// Containers whose rows are as large as the checks of a request let them be.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openUsedRig } from '../service-rig.ts'

const mebibyte = 1024 * 1024
/** 768 KiB once it is escaped */
const command = ['hang', '\x01'.repeat(127 * 1024)]
const wide = { containers: 100, memoryMiB: 1_000_000, cpu: 1_000, execs: 1_000, execsPerContainer: 1_000 }

test('a page of containers with long commands is short, and a walk shows all of them', async (t) => {
  const { call, create, key } = await openUsedRig(t, { settings: { limits: wide } })
  const made: string[] = []
  for (let n = 0; n < 6; n++) made.push((await create({ command })).body.id)
  const seen: string[] = []
  for (let path = '/containers?limit=200'; ;) {
    const { text, body } = await call('GET', path, { key })
    assert.ok(text.length <= mebibyte, `${text.length}`)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    if (body.nextCursor === null) break
    path = `/containers?limit=200&cursor=${body.nextCursor}`
  }
  assert.deepEqual(seen.toSorted(), made.toSorted())
  assert.equal(seen.length, made.length)
})

test('pages that are not read fill no more memory than an account may hold', async (t) => {
  const rig = await openUsedRig(t, { settings: { limits: wide } })
  const { id } = (await rig.create({ command })).body
  const { hostname, port } = new URL(rig.rig.service.url)
  const list = () => rig.call('GET', '/containers', { key: rig.key })
  const size = (await list()).text.length
  const body = JSON.stringify({ containerId: id, command: ['hang'], maxOutputBytes: 1 })
  const head = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${rig.key}\r\n`
  const run = `POST /containers/exec HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const fits = Math.floor((64 * mebibyte) / size)
  // behind a command under way, a page waits for its turn
  const sockets = Array.from({ length: fits }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    t.after(() => socket.destroy())
    socket.write(`${run}GET /containers HTTP/1.1\r\n${head}\r\n`)
    return socket
  })
  await until(async () => (await list()).status === 503)
  const refused = await list()
  assert.equal(refused.body.error.type, 'no_capacity')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  for (const socket of sockets) socket.destroy()
  await until(async () => (await list()).status === 200)
})
