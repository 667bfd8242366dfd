import assert from 'node:assert/strict'
import test from 'node:test'
import { vitrine } from '../support/command-line.ts'

test('help shows each command, read and its operations included, and refuses unknown commands', async () => {
  for (const [args, words] of [
    [['help'], /^Usage: vitrine \[options\] \[command\]\n[^]*\nRead:\n {2}read /],
    [['help', 'keys', 'create'], /^Usage: vitrine keys create /],
    [['help', 'read'], /^Reads the store account [^]*\nExit codes\n/],
    [['help', 'read', 'listApps'], /^List apps\.\n/],
  ] as const) {
    const { code, out, err } = await vitrine(args, {})
    assert.deepEqual([code, err], [0, ''], args.join(' '))
    assert.match(out, words)
  }
  const { code, out, err } = await vitrine(['help', 'redd'], {})
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /unknown command 'redd'\n\(Did you mean read\?\)/)
})
