// What the tools are for: an agent writes a program, runs it, sees why it fails, and fixes it, in at most 12 calls.
import assert from 'node:assert/strict'
import { Atelier } from '../../client/atelier.ts'
import { until } from '../../../base/test/until.ts'
import { onService } from '../client/engine-rig.ts'
import { startAgent } from './agent.ts'

const broken = `#!/bin/sh
# adds the numbers of a file
sum=0
while read -r n; do sum=$((sum + n); done <"$1"
echo "$sum"
`

onService('an agent writes, runs and fixes a program in at most 12 calls', async (at) => {
  const agent = await startAgent(at)
  try {
    const { said: made } = await agent.call('create_container')
    assert.match(made.containerId, /^ct_/)
    await agent.call('write_file', { path: 'sum.sh', content: broken, mode: '0755' })
    await agent.call('write_file', { path: 'data/numbers', content: '1\n2\n39\n' })
    const failed = await agent.call('run_command', { command: './sum.sh data/numbers' })
    assert.notEqual(failed.said.exitCode, 0)
    assert.match(failed.text, /stderr:\n<untrusted-[\w-]+>\n.*syntax error/)
    const { said: seen } = await agent.call('read_file', { path: 'sum.sh' })
    assert.deepEqual([seen.content, seen.encoding, seen.nextOffset], [broken, 'utf8', null])
    await agent.call('write_file', { path: 'sum.sh', content: seen.content.replace('+ n)', '+ n))'), mode: '0755' })
    const fixed = await agent.call('run_command', { command: './sum.sh data/numbers' })
    assert.deepEqual([fixed.said.exitCode, fixed.said.stdout], [0, '42\n'])
    assert.ok(agent.calls() <= 12)
  } finally {
    await agent.close()
  }
  const client = new Atelier(at)
  await until(async () => (await client.listContainers()).items.length === 0)
})

onService('long output and long files come in bounded parts, and timeouts end a command', async (at) => {
  const agent = await startAgent(at)
  try {
    await agent.call('create_container')
    const long = await agent.call('run_command', {
      command: 'i=0; while [ $i -lt 9000 ]; do echo line $i; i=$((i+1)); done | tee all',
    })
    assert.ok(Buffer.byteLength(long.text) < 20_000)
    assert.match(long.text, /line 0\n[^]*are left out[^]*line 8999\n/)
    assert.match(long.said.note, /read it|read that with read_file/)
    let [content, offset, parts] = ['', 0 as number | null, 0]
    for (; offset !== null && parts < 20; parts++) {
      const { said } = await agent.call('read_file', { path: 'all', offset })
      ;[content, offset] = [content + said.content, said.nextOffset]
    }
    assert.equal(content, Array.from({ length: 9000 }, (_, i) => `line ${i}\n`).join(''))
    await agent.call('write_file', { path: 'b.bin', content: 'AAEC/w==', encoding: 'base64' })
    const binary = await agent.call('read_file', { path: 'b.bin' })
    assert.deepEqual([binary.said.content, binary.said.encoding], ['AAEC/w==', 'base64'])
    const late = await agent.call('run_command', { command: 'echo begun; sleep 60', timeoutSeconds: 1 })
    assert.deepEqual([late.said.timedOut, late.said.stdout], [true, 'begun\n'])
    assert.match(late.said.note, /timeoutSeconds/)
    const lost = await agent.call('read_file', { path: '/home/u/none' })
    assert.match(lost.text, /^Failed \(file_not_found\).*\nNext: List the directory/)
    assert.match((await agent.call('read_file', { path: '/home/u' })).text, /is_directory/)
    assert.equal((await agent.call('read_file', { path: 'all', offset: 10_000_000 })).isError, true)
  } finally {
    await agent.close()
  }
})
