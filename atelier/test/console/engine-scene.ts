// The console in a real browser, over the whole service on a real engine: Docker alone, to be quick.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createEngine } from '../../src/engine/create-engine.ts'
import { serveOn } from '../client/engine-rig.ts'
import { removeAll } from '../engines.ts'
import { hashed, openPages } from './scene.ts'

const socket = process.env['TEST_DOCKER']

/** why a test that needs the engine is skipped */
export const withoutEngine = socket === undefined ? 'no TEST_DOCKER' : false

/** undefined without a browser */
export async function openEngineConsole(t: TestContext) {
  const instance = `t-${randomBytes(6).toString('hex')}`
  const engine = createEngine({ socket: socket ?? '', instance, runtime: null, usesResident: false })
  const served = await serveOn({ engine, socket: socket ?? '', instance }, hashed)
  t.after(async () => {
    await served.close()
    await removeAll(engine)
    engine.close()
  })
  const pages = await openPages(t, () => served.url)
  return pages && { ...pages, ...served }
}
