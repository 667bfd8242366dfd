// What a caller is told if the script of a listing ends badly: the container may have put anything in place of its shell.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { KillReason } from '../../src/exec/command.ts'
import { createFolders } from '../../src/folders/folders.ts'
import { askScript, type ScriptParts } from '../../src/folders/script.ts'
import { Problem } from '../../src/problems.ts'
import type { ContainerRecord } from '../../src/store/container-rows.ts'

function startsWith(said: string, killedBy?: KillReason): ScriptParts {
  const killed = Promise.withResolvers<KillReason>()
  const command = {
    async *output() {
      if (killedBy) killed.resolve(killedBy)
      else yield { stream: 'stdout', data: Buffer.from(said) }
    },
    kill: killed.resolve,
    write: async () => {},
    endInput() {},
    outcome: async () => ({ kind: 'killed', by: await killed.promise }),
  }
  const start = async () => ({ command, release: async () => {} })
  return { commands: { start }, containers: { refresh: async () => {} } } as unknown as ScriptParts
}

const cases: [string, ScriptParts, string][] = [
  ['answers nonsense', startsWith('nonsense\0'), 'exec_outcome_unknown'],
  ['takes too long', startsWith('', 'timeout'), 'engine_timeout'],
  ['is ended with the service', startsWith('', 'stopping'), 'shutting_down'],
]

for (const [what, parts, code] of cases)
  test(`a script that ${what} is ${code}`, async () => {
    const asked = askScript(
      { id: 'ctr_1' } as ContainerRecord,
      parts,
      new AbortController().signal,
      async () => 'listed',
    )
    await assert.rejects(asked, (error) => error instanceof Problem && error.code === code)
  })

test('a listing of 390,000 entries is refused at the limit, and only so many of them are read', async (t) => {
  const entry = '81a4 1 0 0 0 0 ./a//\n'
  const parts = startsWith(`ok\0ok ${entry.repeat(390_000)}\0`)
  const folders = createFolders({ ...parts, mostEntries: 20_000 })
  const found = t.mock.method(Buffer.prototype, 'indexOf')
  const listed = folders.list({ id: 'ctr_1' } as ContainerRecord, '/tmp', 100, new AbortController().signal)
  await assert.rejects(listed, (error) => error instanceof Problem && error.code === 'too_large')
  assert.ok(found.mock.callCount() < 20_100, `${found.mock.callCount()} places were looked for`)
})
