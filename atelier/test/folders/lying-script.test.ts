// What a caller is told if the script of a listing ends badly: the container may have put anything in place of its shell.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { KillReason } from '../../src/exec/command.ts'
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
