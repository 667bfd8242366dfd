import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { type HttpNode, walkAsN8n } from './n8n-node.ts'
import { badGateway, openScene, type Scene, slowDown } from './scene.ts'

const text = readFileSync('examples/n8n/apps.json', 'utf8')
const workflow = JSON.parse(text)
const [trigger, request, split] = workflow.nodes

/** the node with the host and connection of the scene, as its notes say, and with small pages */
function nodeFor({ url }: Scene): HttpNode {
  const changed = text
    .replace('http://127.0.0.1:8080/v1/connections/studio/', `${url}/v1/connections/acme/`)
    .replace('"200"', '"10"')
  return JSON.parse(changed).nodes[1]
}

const credentialOf = ({ key }: Scene) => ({ name: 'Authorization', value: `Bearer ${key}` })

test('the n8n recipe is a chain of three existing n8n nodes, without a secret', () => {
  assert.deepEqual(
    workflow.nodes.map(({ type, typeVersion }: { type: string; typeVersion: number }) => [type, typeVersion]),
    [
      ['n8n-nodes-base.manualTrigger', 1],
      ['n8n-nodes-base.httpRequest', 4.2],
      ['n8n-nodes-base.splitOut', 1],
    ],
  )
  const next = (name: string) => workflow.connections[name].main
  assert.deepEqual(next(trigger.name), [[{ node: request.name, type: 'main', index: 0 }]])
  assert.deepEqual(next(request.name), [[{ node: split.name, type: 'main', index: 0 }]])
  assert.equal(request.parameters.authentication, 'genericCredentialType')
  assert.equal(request.parameters.genericAuthType, 'httpHeaderAuth')
  assert.equal(request.credentials, undefined)
  assert.doesNotMatch(text, /vtr_(live|test)/)
})

test('the n8n node reads all pages, and its items split into one for each app', async (t) => {
  const scene = await openScene(t)
  const pages = await walkAsN8n(nodeFor(scene), credentialOf(scene))
  assert.equal(pages.length, 3)
  const items = pages.flatMap((page) => page[split.parameters.fieldToSplitOut])
  assert.equal(items.length, 24)
  assert.deepEqual(Object.keys(items[0]), ['id', 'name', 'bundleId', 'sku'])
  assert.equal(items[0].name, 'Aurora Almanac')
})

test('the n8n node never treats a failed page as the last one', async (t) => {
  const scene = await openScene(t)
  for (const instead of [
    slowDown,
    badGateway,
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' },
  ]) {
    scene.asked.length = 0
    scene.spoil = (nth) => (nth >= 2 ? instead : undefined)
    if (instead.status === 200) scene.spoil = (nth) => (nth === 2 ? instead : nth > 2 ? badGateway : undefined)
    await assert.rejects(walkAsN8n(nodeFor(scene), credentialOf(scene)), /^Error: (429|502) - /)
  }
  scene.spoil = () => undefined
  scene.trouble('agreement:2@/v1/apps')
  await assert.rejects(walkAsN8n(nodeFor(scene), credentialOf(scene)), /^Error: 403 - .*agreement/i)
})

test('the n8n node retries, and has no limit of pages', () => {
  const { limitPagesFetched, paginationCompleteWhen, paginationMode } = request.parameters.options.pagination.pagination
  assert.deepEqual(
    [limitPagesFetched, paginationCompleteWhen, paginationMode],
    [false, 'other', 'updateAParameterInEachRequest'],
  )
  assert.deepEqual([request.retryOnFail, request.maxTries, request.onError], [true, 3, undefined])
})
