// The peer that many write themselves: Express, one call to the platform, `jsona` to flatten, JSON out. Nothing is checked
// but the platform's certificate. Takes the platform's origin; prints its port when it listens.
import { gunzipSync } from 'node:zlib'
import express from 'express'
import { Jsona } from 'jsona'
import { Pool } from 'undici'

const [upstream] = process.argv.slice(2)
// as many connections as the other peers keep, used in the same way
const pool = new Pool(upstream, { connections: 64, pipelining: 1 })
const jsona = new Jsona()
const headers = { authorization: 'Bearer fixed', accept: 'application/json', 'accept-encoding': 'gzip' }

/** the cheapest way: without a stream, and without another thread */
async function documentIn({ headers: { 'content-encoding': coding }, body }) {
  return coding === 'gzip' ? JSON.parse(gunzipSync(await body.arrayBuffer()).toString()) : body.json()
}

const app = express()
async function answer(req, res) {
  const response = await pool.request({ method: 'GET', path: req.url, headers })
  res.status(response.statusCode).json(jsona.deserialize(await documentIn(response)))
}
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 waits for it
app.use(answer)
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
