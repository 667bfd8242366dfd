import assert from 'node:assert/strict'
import test from 'node:test'
import { atThisHost } from '../../src/console/public-address.ts'

test('an endpoint that listens on every address is named as the console is reached', () => {
  assert.equal(atThisHost('http://0.0.0.0:8080', 'studio.internal'), 'http://studio.internal:8080')
  assert.equal(atThisHost('http://[::]:8080', '10.0.0.7'), 'http://10.0.0.7:8080')
  for (const url of ['http://127.0.0.1:8080', 'https://vitrine.example.com', 'https://a.example/vitrine'])
    assert.equal(atThisHost(url, '10.0.0.7'), url)
})
