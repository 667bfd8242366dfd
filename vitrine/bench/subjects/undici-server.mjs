// The least that a service of Node.js and undici can be: one call to the platform, its bytes passed on. Takes the platform's
// origin; prints its port when it listens.
import { createServer } from 'node:http'
import { Pool } from 'undici'

const pool = new Pool(process.argv[2], { connections: 64, pipelining: 1 })
const headers = { authorization: 'Bearer fixed', accept: 'application/json' }

async function answer(req, res) {
  const { statusCode, body } = await pool.request({ method: 'GET', path: req.url, headers })
  const bytes = Buffer.from(await body.arrayBuffer())
  res.writeHead(statusCode, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
}
const server = createServer((req, res) => void answer(req, res))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
