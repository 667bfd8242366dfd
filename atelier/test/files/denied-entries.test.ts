// Entries of a tree that only their owners can read: each takes a program of its own, so their count is bounded.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test from 'node:test'
import { LightAbort } from '../../../base/core/abort.ts'
import type { Engine } from '../../src/engine/port.ts'
import { getTree } from '../../src/files/get-tree.ts'
import type { ReadArchive } from '../../src/files/transfer.ts'
import { refusal, usual, usualTarget } from './rig.ts'
import { collect, file, head, tar } from './tars.ts'

function treeWith(denied: number) {
  const reads: number[] = []
  const heads = Array.from({ length: denied }, (_, n) => head({ name: `t/f${n}`, type: 'D', link: '0' }))
  const [tree, part] = [tar(...heads), tar(file('t'))]
  const readArchive: ReadArchive = async ({ path, uid }) => {
    reads.push(uid)
    return Readable.from([path === '/tmp' ? tree : part])
  }
  const state = { type: 'directory', mode: 0o755, size: 0, modifiedAt: new Date(), linkTarget: null } as const
  const engine = { stat: async () => state } as unknown as Engine
  const target = { ...usualTarget, container: 'ct_1', path: '/tmp' }
  return { reads, transfer: { engine, readArchive, target, limits: usual, signal: new LightAbort() } }
}

test('a tree with 1,000 entries that only their owner can read is whole', async () => {
  const { reads, transfer } = treeWith(1_000)
  const content = await collect(await getTree(transfer))
  assert.ok(content.includes('f999'))
  assert.equal(reads.length, 1_001)
})

test('a tree with more of them breaks off, and no more programs are started', async () => {
  const { reads, transfer } = treeWith(2_000)
  await assert.rejects(collect(await getTree(transfer)), refusal('too_large', { limit: 1_000 }))
  assert.equal(reads.length, 1_001)
})
