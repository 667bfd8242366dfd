// Many commands at once, and nothing left of them in the resident.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { until } from '../../../base/test/until.ts'
import { openResident, whole } from './client.ts'

const childrenOf = (id: number): string[] =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return Number(/^PPid:\s(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]) === id
    } catch {
      return false
    }
  })

test('64 commands run at once; another is refused with EAGAIN, and has a place when one has ended', async (t) => {
  const client = openResident(t)
  const ids = Array.from({ length: 64 }, (_, n) => n + 1)
  for (const id of ids) client.start(id, ['sh', '-c', 'read line; echo $line'], { flags: 1 })
  for (const id of ids) await client.next(id, 'started')
  client.start(65, ['true'])
  assert.deepEqual(await whole(client, 65).then(({ value, errno }) => [value, errno]), [3, 11])
  client.send(12, 66, Buffer.alloc(10))
  client.send(12, 66, Buffer.alloc(10))
  client.start(66, ['true'])
  assert.deepEqual(await whole(client, 66).then(({ value, errno }) => [value, errno]), [3, 11])
  client.send(3, 17, Buffer.from('free\n'))
  assert.equal((await whole(client, 17)).stdout, 'free\n')
  client.start(67, ['echo', 'now'])
  assert.equal((await whole(client, 67)).stdout, 'now\n')
  for (const id of ids) client.send(3, id, Buffer.from(`${id}\n`))
  for (const id of ids.filter((one) => one !== 17)) assert.equal((await whole(client, id)).stdout, `${id}\n`)
  await until(() => childrenOf(client.child.pid!).length === 0)
})

test('after 2,000 commands no process and no descriptor is left, and what one leaves behind takes no place', async (t) => {
  const client = openResident(t)
  const descriptors = () => readdirSync(`/proc/${client.child.pid}/fd`).length
  const canRead = process.getuid?.() === 0
  await client.hello()
  const before = canRead ? descriptors() : 0
  const run = async (id: number) => {
    client.start(id, id % 100 === 0 ? ['no-such-program'] : ['true'], {
      flags: id % 7 === 0 ? 2 : id % 3 === 0 ? 1 : 0,
    })
    await whole(client, id)
    client.frames.length = 0
  }
  for (let id = 1; id <= 2000; id += 1) await run(id)
  await until(() => childrenOf(client.child.pid!).length === 0)
  if (canRead) assert.equal(descriptors(), before)
  for (let id = 3001; id <= 3080; id++) {
    client.start(id, ['sh', '-c', 'exec >&- 2>&-; sleep 1000 &'])
    assert.equal((await whole(client, id)).value, 0)
  }
  client.start(4000, ['true'])
  assert.equal((await whole(client, 4000)).value, 0)
  for (let id = 3001; id <= 3080; id++) client.send(7, id)
  for (let id = 3001; id <= 3080; id++) await client.next(id, 'killed')
  await until(() => childrenOf(client.child.pid!).length === 0)
})
