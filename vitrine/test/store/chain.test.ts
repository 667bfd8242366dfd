import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import test from 'node:test'
import { appendEntries, verifyChain } from '../../../base/store/audit-chain.ts'
import { migrations } from '../../src/store/migrations.ts'
import { sqlOn } from '../../../base/store/sqlite-statements.ts'
import { deed } from './records.ts'

const lines = 600

/** an audit without its guards, as an intruder with the file has it */
async function unguarded(): Promise<DatabaseSync> {
  const db = new DatabaseSync(':memory:')
  for (const step of migrations) db.exec(step.sqlite)
  for (const act of ['update', 'delete', 'replace']) db.exec(`DROP TRIGGER audit_no_${act}`)
  const deeds = Array.from({ length: lines }, (_, n) =>
    deed(n % 3 ? 'keys.create' : 'keys.revoke', { target: `k${n}`, details: { n }, requestId: n % 2 ? `r${n}` : null }),
  )
  await appendEntries(sqlOn(db), deeds)
  return db
}

/** the same numbers every time */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const edits = [
  'at = at + 1',
  "who = who || ' '",
  "origin = upper(origin) || '!'",
  "request_id = coalesce(request_id || 'x', '')",
  "act = act || 's'",
  'target = NULL',
  "outcome = 'denied'",
  "details = details || ' '",
  "hash = 'f' || substr(hash, 2, 62) || CASE substr(hash, 64) WHEN '0' THEN '1' ELSE '0' END",
]

test('each of 200 random edits of the audit is found, at the first line that does not follow', async () => {
  const db = await unguarded()
  const roll = dice(7)
  assert.deepEqual(await verifyChain(sqlOn(db)), { lines, brokenAt: undefined })
  for (let n = 0; n < 200; n++) {
    const seq = 2 + roll(lines - 3)
    const kind = roll(4)
    db.exec('BEGIN')
    let expected = seq
    if (kind < 2) db.exec(`UPDATE audit SET ${edits[roll(edits.length)] ?? ''} WHERE seq = ${seq}`)
    else {
      // removed, with the gap left or closed; or swapped with the next
      db.exec(`UPDATE audit SET seq = 1000000 WHERE seq = ${seq}`)
      if (kind === 2) db.exec('DELETE FROM audit WHERE seq = 1000000')
      if (kind === 3 || roll(2)) db.exec(`UPDATE audit SET seq = ${seq} WHERE seq = ${seq + 1}`)
      else expected = seq + 1
      if (kind === 3) db.exec(`UPDATE audit SET seq = ${seq + 1} WHERE seq = 1000000`)
    }
    assert.deepEqual(await verifyChain(sqlOn(db)), { lines: seq - 1, brokenAt: expected }, `edit ${n} of kind ${kind}`)
    db.exec('ROLLBACK')
  }
  db.close()
})

test('a line with the same text in other fields has another hash', async () => {
  const hashes = new Set<unknown>()
  for (const more of [
    { who: 'a","b' },
    { who: 'a', from: 'b' },
    { requestId: '' },
    { requestId: null },
    { target: '' },
  ]) {
    const db = new DatabaseSync(':memory:')
    for (const step of migrations) db.exec(step.sqlite)
    await appendEntries(sqlOn(db), [deed('a.b', more)])
    hashes.add(db.prepare('SELECT hash FROM audit').get()?.['hash'])
    db.close()
  }
  assert.equal(hashes.size, 5)
})
