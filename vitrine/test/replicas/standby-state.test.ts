// When a server counts as a hot standby: from its own answer until a primary has answered and a second is over.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createServer, StandbyError } from '../../../base/store/postgres-server.ts'

test('a primary that answered once counts as one after a second, though nobody asks again', () => {
  let at = 0
  const server = createServer(false, () => at)
  const hear = (isStandby: boolean) => server.hear({ rows: [{ server_standby: isStandby, server_now: '0' }] }, at)
  assert.equal(server.isStandby(), false)
  assert.throws(() => hear(true), StandbyError)
  at = 5_000
  assert.equal(server.isStandby(), true)
  assert.throws(() => hear(true), StandbyError)
  at = 5_200
  hear(false)
  assert.equal(server.isStandby(), true)
  at = 6_001
  assert.equal(server.isStandby(), false)
})
