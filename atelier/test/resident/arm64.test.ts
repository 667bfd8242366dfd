// The program for arm64, run by qemu: it starts, feeds and kills commands as the other one does.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import test from 'node:test'
import { openResident, whole } from './client.ts'
import { creditPayload, startPayload, types } from './frames.ts'

const emulator = 'qemu-aarch64-static'
const isMissing = process.arch !== 'arm64' && spawnSync(emulator, ['--version']).status !== 0
const skip = isMissing ? `NOT RUN: no ${emulator} (package qemu-user-static)` : false
const around = process.arch === 'arm64' ? [] : [emulator]
const argv = [...around, resolve('resident/bin/resident-arm64')]

test('arm64: commands have arguments, input, a terminal, credit and an end', { skip }, async (t) => {
  const client = openResident(t, { env: { PATH: '/usr/bin:/bin' } }, argv)
  assert.equal((await client.hello()).payload[16], 1)
  client.start(1, ['sh', '-c', 'echo "$1 $MORE $PWD"; exit 3', 'sh', 'one'], { folder: '/tmp', env: ['MORE=more'] })
  assert.deepEqual(await whole(client, 1).then(({ value, stdout }) => [value >> 8, stdout]), [3, 'one more /tmp\n'])
  client.start(2, ['cat'], { flags: 1 })
  client.send(3, 2, Buffer.from('input'))
  client.send(4, 2)
  assert.equal((await whole(client, 2)).stdout, 'input')
  client.start(3, ['sh', '-c', 'stty size'], { flags: 2, size: [90, 30] })
  assert.equal((await whole(client, 3)).stdout, '30 90\r\n')
  client.start(4, ['sh', '-c', 'echo 0123456789'], { credit: 5 })
  await client.next(4, 'started')
  client.send(5, 4, creditPayload(1, 100))
  assert.equal((await whole(client, 4)).stdout, '0123456789\n')
  const large = startPayload(['sh', '-c', 'echo $#', 'sh', ...Array<string>(20_000).fill('z')])
  client.send(12, 5, large.subarray(0, 60_000))
  client.send(2, 5, large.subarray(60_000))
  assert.equal((await whole(client, 5)).stdout, '20000\n')
})

// qemu does not pass on that a process is a subreaper, so nothing detaches itself here
test('arm64: failures are reported, and a command is killed with its children', { skip }, async (t) => {
  const client = openResident(t, {}, argv)
  client.start(1, ['no-such-program'])
  assert.deepEqual(await whole(client, 1).then(({ type, value, errno }) => [type, value, errno]), [types.failed, 2, 2])
  client.start(2, ['sh', '-c', 'trap "" TERM; sleep 1000 & echo ready; wait'])
  await client.next(2, 'output')
  client.send(7, 2)
  await client.next(2, 'killed')
  assert.equal((await client.next(2, 'exit')).payload.readUInt32BE(), 9)
  client.child.stdin!.end()
  while (!client.ended) await client.change()
  assert.equal(client.child.exitCode, 0)
})
