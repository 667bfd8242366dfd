import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import examples from '../../src/derive/examples.json' with { type: 'json' }
import { type Answer, startOverSandbox } from '../support/service.ts'

/** a route may exist before the sandbox knows its resource */
const unknown = (operation: string) => (operation in examples ? false : 'THE SANDBOX DOES NOT KNOW THIS RESOURCE YET')

test('every route answers its example from the sandbox as the description documents it', async (t) => {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const proven = new Set<string>()
  for (const { operation, example, from } of routes)
    await t.test(operation, { skip: unknown(operation) }, async () => {
      const before = sandbox.asked.length
      const { status, json } = await service.ask(example)
      assert.equal(status, 200)
      if (typeof json.nextCursor === 'string') json.nextCursor = 'a sealed cursor'
      assert.ok(JSON.stringify(json.items ?? json).length > 15, 'the example shows something')
      assert.deepEqual(json, (examples as Record<string, unknown>)[operation])
      // the app that a list belongs to is remembered
      const isNew = from.owner !== undefined && !proven.has(from.owner.read)
      if (from.owner) proven.add(from.owner.read)
      const isTwo = from.resolve || from.guard || from.through || isNew
      assert.equal(sandbox.asked.length - before, isTwo ? 2 : 1, 'platform calls')
    })
})

test('paging through every list reaches its end and returns each item once', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  for (const { operation, example, shape } of routes.filter(
    (r) => r.operation in examples && (r.shape === 'page' || r.shape === 'ids'),
  ))
    await t.test(operation, async () => {
      const path = example.split('?', 1)[0]
      const idOf = (item: any) => (shape === 'ids' ? item : item.id)
      const whole = (await service.ask(`${path}?limit=200`)).json
      assert.equal(whole.nextCursor, null)
      const walked: string[] = []
      const limit = Math.max(1, Math.ceil(whole.items.length / 4))
      for (let cursor: string | null = ''; cursor !== null;) {
        const { json }: Answer = await service.ask(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        walked.push(...json.items.map(idOf))
        cursor = json.nextCursor
      }
      assert.deepEqual(walked, whole.items.map(idOf))
      assert.equal(new Set(walked).size, walked.length)
    })
})
