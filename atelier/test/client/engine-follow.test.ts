import assert from 'node:assert/strict'
import { Atelier } from '../../client/atelier.ts'
import { all } from './scene.ts'
import { onService } from './engine-rig.ts'

onService('a command outlives its caller, and every byte or its loss reaches who follows it', async ({ url, key }) => {
  const atelier = new Atelier({ url, key })
  const { id: containerId } = await atelier.createContainer({ image: 'base' })
  const script =
    'echo first; until [ -e /home/u/go ]; do sleep 0.1; done; head -c 20000000 /dev/zero | tr "\\0" x; exit 4'
  const command = ['sh', '-c', script]
  let execId = ''
  for await (const event of atelier.runCommandStream({ containerId, command, onDisconnect: 'keep' })) {
    if (event.type === 'start') ({ execId } = event)
    if (event.type === 'stdout') break
  }
  const { execId: other } = await atelier.runCommand({ containerId, command, detach: true })
  // it stands still after its first line
  const slow = atelier.followCommand({ id: execId })
  assert.equal((await slow.next()).value?.type, 'start')
  const following = [execId, other].map((id) => all(atelier.followCommand({ id })))
  await atelier.putFile({ containerId, path: '/home/u/go' }, '')
  for (const events of await Promise.all([...following, all(slow)])) {
    let next = 1
    for (const event of events) {
      if (event.type === 'stdout') assert.equal(event.seq, next++)
      if (event.type !== 'lost') continue
      assert.equal(event.firstSeq, next)
      next = event.lastSeq + 1
    }
    const last = events.at(-1)
    assert.ok(last?.type === 'exit' && next > 20_000_000 / 65_536)
    assert.deepEqual([last.exitCode, last.stdoutBytes], [4, 20_000_006])
  }
  await atelier.deleteContainer({ id: containerId, graceSeconds: 0 })
})
