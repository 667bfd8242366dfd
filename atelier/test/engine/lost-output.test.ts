import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LostOutputText } from '../../src/engine/lost-output.ts'
import type { OutputChunk } from '../../src/engine/port.ts'

const text = (stream: OutputChunk['stream'], data: string): OutputChunk => ({ stream, data: Buffer.from(data) })
const reset = 'Error: read unixpacket @->/proc/self/fd/16/attach: read: connection reset by peer\n'

test('the engine’s words of a reset connection are taken out of the end of standard error, and remembered', () => {
  const lost = new LostOutputText(true)
  const passed = [...lost.take([text('stdout', 'a')]), ...lost.take([text('stderr', 'b'), text('stderr', reset)])]
  assert.deepEqual([passed.map(({ data }) => data.toString()), lost.isHolding], [['a', 'b'], true])
})

test('such words are the command’s own when more follows, on standard output, and where no input was sent', () => {
  const followed = new LostOutputText(true)
  const passed = [...followed.take([text('stderr', reset)]), ...followed.take([text('stderr', 'b')])]
  assert.deepEqual([passed.map(({ data }) => data.toString()), followed.isHolding], [[reset, 'b'], false])
  for (const [isWanted, stream] of [
    [true, 'stdout'],
    [false, 'stderr'],
  ] as const) {
    const lost = new LostOutputText(isWanted)
    assert.deepEqual([lost.take([text(stream, reset)]).length, lost.isHolding], [1, false])
  }
})
