import assert from 'node:assert/strict'
import test from 'node:test'
import { createEngine } from '../../src/engine/create-engine.ts'
import { EngineError } from '../../src/engine/port.ts'
import { listen } from './proxy.ts'

/** fails so many times, and then lists one image, or shows it */
async function engineThatFails(times: number) {
  let asked = 0
  const images = [{ Id: 'sha256:1', RepoTags: ['localhost/atelier/a:img_1'] }]
  const wire = await listen((near) => {
    near.on('data', (piece: Buffer) => {
      const found = piece.includes('/images/json') ? images : { Id: 'sha256:1', Size: 5, Config: null }
      const [status, body] = asked++ < times ? ['500 Failed', { cause: 'image not known' }] : ['200 OK', found]
      const text = JSON.stringify(body)
      near.write(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      )
    })
  })
  const engine = createEngine({ socket: wire.socket, instance: 'a', runtime: null })
  return { engine, asked: () => asked, close: () => (engine.close(), wire.close()) }
}

test('a look at images that fails while one is removed is repeated, and not for ever', async () => {
  const busy = await engineThatFails(3)
  assert.deepEqual([...(await busy.engine.images())], [['img_1', 'sha256:1']])
  assert.equal(busy.asked(), 4)
  busy.close()
  const shown = await engineThatFails(2)
  assert.equal((await shown.engine.image('img_1'))?.sizeBytes, 5)
  assert.equal(shown.asked(), 3)
  shown.close()
  const broken = await engineThatFails(Infinity)
  await assert.rejects(broken.engine.images(), (error) => error instanceof EngineError && error.fault === 'failed')
  assert.equal(broken.asked(), 6)
  broken.close()
})
