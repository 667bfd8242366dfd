// What `serve` says to the person who starts it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { startScene } from './signal-scene.ts'

test('ids in the settings that do not look like those of the platform are named at the start', async (t) => {
  const { said } = await startScene(t, {
    connections: {
      good: { keyId: '2X9R4HXF34', issuerId: '57246542-96fe-1a63-e053-0824d011072a', privateKeyFile: 'key.p8' },
      swapped: { keyId: '57246542-96fe-1a63-e053-0824d011072a', issuerId: '2X9R4HXF34', privateKeyFile: 'key.p8' },
    },
  })
  const hints = said()
    .split('\n')
    .filter((line) => line.startsWith('connections.'))
  assert.equal(hints.length, 2)
  assert.match(hints[0] ?? '', /^connections\.swapped\.keyId does not look like .* A key id is 10 capital letters/)
  assert.match(hints[1] ?? '', /^connections\.swapped\.issuerId does not look like .* An issuer id is a UUID/)
})
