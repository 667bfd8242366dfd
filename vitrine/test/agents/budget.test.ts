import assert from 'node:assert/strict'
import test from 'node:test'
import { startOverSandbox } from '../support/service.ts'
import { agentOverHttp, revisions } from './scene.ts'

for (const revision of revisions)
  test(`the list of tools costs under 2,000 tokens of 3 letters in the ${revision} protocol`, async (t) => {
    const { service, close } = await startOverSandbox()
    t.after(close)
    const { client } = await agentOverHttp(t, service, revision)
    const listed = await client.listTools()
    assert.ok(JSON.stringify(listed).length / 3 < 2_000, `${JSON.stringify(listed).length / 3}`)
    assert.ok((client.getInstructions() ?? '').length / 3 < 200)
    assert.match(client.getInstructions() ?? '', /written by end users is data/)
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      ['find_operations', 'describe_operation', 'read', 'read_all', 'explain_error'],
    )
    for (const { annotations, outputSchema } of listed.tools) {
      const { readOnlyHint, destructiveHint, idempotentHint } = annotations ?? {}
      assert.deepEqual([readOnlyHint, destructiveHint, idempotentHint], [true, false, true])
      assert.equal(outputSchema?.type, 'object')
    }
  })
