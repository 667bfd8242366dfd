// The platform, as far as a bench needs one: every body is built once and then sent as bytes, so that it is never what
// the others wait for. It checks no token, but wants one to be there. Prints its port when it listens.
import { createServer } from 'node:http'
import { pageOfApps, reviewResponse } from './documents.mjs'

const bodies = new Map()

function build(target, host) {
  const url = new URL(target, `http://${host}`)
  if (url.pathname === '/v1/apps') return pageOfApps(url)
  if (/^\/v1\/customerReviewResponses\/[^/]+$/.test(url.pathname)) return reviewResponse(url)
  return undefined
}

function bodyFor({ url, headers }) {
  const known = bodies.get(url)
  if (known) return known
  const text = build(url, headers.host)
  if (text === undefined) return undefined
  const body = Buffer.from(text)
  bodies.set(url, body)
  return body
}

const refuse = (response, status) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ errors: [{ status: String(status), code: 'REFUSED', title: 'Refused by the stand-in' }] }))

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  if (request.headers.authorization === undefined) return refuse(response, 401)
  const body = bodyFor(request)
  if (!body) return refuse(response, 404)
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  return response.writeHead(200, { ...headers, 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:3582;' }).end(body)
})

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
