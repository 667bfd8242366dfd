// A service on the engine of TEST_PODMAN or TEST_DOCKER until SIGTERM, for try-client-elsewhere: it prints its address and a key.
import { createEngine } from '../src/engine/create-engine.ts'
import { serveOn } from '../test/client/engine-rig.ts'
import { removeAll } from '../test/engines.ts'

const socket = process.env['TEST_PODMAN'] ?? process.env['TEST_DOCKER']
if (socket === undefined)
  throw new Error('no TEST_PODMAN and no TEST_DOCKER: npm run with-engine -w atelier -- COMMAND')
const instance = `t-${process.pid}`
const engine = createEngine({ socket, instance, runtime: null })
const stopped = new Promise((ok) => process.once('SIGTERM', ok))
const served = await serveOn({ engine, socket, instance })
process.stdout.write(`url ${served.url}\nkey ${served.key}\n`)
await stopped
await served.close()
await removeAll(engine)
engine.close()
