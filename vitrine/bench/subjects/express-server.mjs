// The peer that many write themselves: Express, one call to the platform, `jsona` to flatten, JSON out. Nothing is checked.
// Takes the platform's origin; prints its port when it listens.
import express from 'express'
import { Jsona } from 'jsona'
import { Pool } from 'undici'

const [upstream] = process.argv.slice(2)
// as many connections as the other peers keep, used in the same way
const pool = new Pool(upstream, { connections: 64, pipelining: 1 })
const jsona = new Jsona()
const headers = { authorization: 'Bearer fixed', accept: 'application/json' }

const app = express()
async function answer(req, res) {
  const { statusCode, body } = await pool.request({ method: 'GET', path: req.url, headers })
  res.status(statusCode).json(jsona.deserialize(await body.json()))
}
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 waits for it
app.use(answer)
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
