// Runs in a network with two local ports (made by connect.test.ts): the answers while both are in use, and afterwards.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { page } from '../support/example-routes.ts'
import { answerOf, respond, startRawPlatform } from '../support/raw-platform.ts'
import { type Answer, startService } from '../support/service.ts'

// listening ports need not be in the local range
const platform = await startRawPlatform(respond(answerOf(JSON.stringify(page.healthy))), { port: 30_000 })
const service = await startService(platform.url, {
  file: { listen: '127.0.0.1:30001', upstream: { timeoutMs: 3_000 } },
})

const taken: Socket[] = []
async function take(): Promise<string> {
  for (;;) {
    const socket = connect(30_000, '127.0.0.1')
    const failed = await once(socket, 'connect').catch((error: NodeJS.ErrnoException) => error.code)
    if (typeof failed === 'string') return failed
    taken.push(socket)
  }
}

const told = ({ status, json }: Answer) => [status, json.error.type, json.error.code]

const why = await take()
const without = told(await service.ask(page.path))
const calls = service.events.filter(({ kind }) => kind === 'called').length
const socketsLeft = platform.sockets.size
taken.forEach((socket) => socket.resetAndDestroy())
await sleep(500)
const { status, json } = await service.ask(page.path)
await service.close()
await platform.close()
process.stdout.write(JSON.stringify({ taken: why, without, calls, socketsLeft, after: [status, json] }))
