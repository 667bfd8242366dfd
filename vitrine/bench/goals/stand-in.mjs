// The platform of the goals, in a process of its own: it knows who calls by the key id of the token, and treats each as it is
// told to over IPC. Counts every call. Takes its port as argument, 0 for any, and tells it when it listens.
import { createServer } from 'node:http'
import { bodyOf } from './bodies.mjs'
import { bomb, makeBomb } from './bomb.mjs'

/** key id, or `*` for all others -> what becomes of its calls */
let rules = {}
let counts = {}

const json = { 'content-type': 'application/json' }
const refusal = JSON.stringify({ errors: [{ code: 'UNEXPECTED_ERROR', title: 'said by the stand-in' }] })

function partsOf(authorization) {
  const [head, claims] = (authorization ?? '').replace(/^Bearer /, '').split('.')
  try {
    const [{ kid }, { iat, exp }] = [head, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    return { kid, iat, exp }
  } catch {
    return {}
  }
}

const dateOf = ({ clockMs = 0 }) => new Date(Date.now() + clockMs).toUTCString()

function refuse(res, rule, status, headers = {}) {
  res.writeHead(status, { ...json, date: dateOf(rule), ...headers }).end(refusal)
}

/** really counts: beyond its limit it refuses, whatever the service expects */
function takeQuota(count, { hourly }) {
  if (hourly === undefined) return {}
  const left = hourly - count.taken
  if (left > 0) count.taken++
  return {
    refused: left <= 0,
    headers: { 'x-rate-limit': `user-hour-lim:${hourly};user-hour-rem:${Math.max(0, left - 1)};` },
  }
}

const bad = {
  status: (res, rule, { status, headers }) => refuse(res, rule, status, headers),
  reset: (res) => res.socket.resetAndDestroy(),
  hang: () => {},
  bomb: (res) =>
    res.writeHead(200, { ...json, 'content-encoding': 'gzip', 'content-length': bomb().length }).end(bomb()),
}

function treat(req, res, rule, count, { iat, exp }) {
  const chosen =
    rule.bad && Math.random() < (rule.share ?? 1) ? rule.bad[Math.floor(Math.random() * rule.bad.length)] : undefined
  if (chosen) {
    count.bad++
    return bad[chosen.kind](res, rule, chosen)
  }
  const nowSec = (Date.now() + (rule.clockMs ?? 0)) / 1000
  if (!(iat <= nowSec && exp > nowSec && exp - iat <= 1200)) return refuse(res, rule, 401)
  const { refused, headers } = takeQuota(count, rule)
  if (refused) {
    count.refused++
    return refuse(res, rule, 429, headers)
  }
  const body = bodyOf(req.url)
  if (!body) return refuse(res, rule, 404)
  return res.writeHead(200, { ...json, 'content-length': body.length, date: dateOf(rule), ...headers }).end(body)
}

const server = createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  const token = partsOf(req.headers.authorization)
  const rule = rules[token.kid] ?? rules['*'] ?? {}
  const count = (counts[token.kid] ??= { calls: 0, bad: 0, refused: 0, taken: 0 })
  count.calls++
  res.on('error', () => {})
  if (rule.delayMs === undefined) return treat(req, res, rule, count, token)
  return setTimeout(() => treat(req, res, rule, count, token), rule.delayMs)
})

async function follow({ rules: fresh }) {
  if (JSON.stringify(fresh ?? {}).includes('"bomb"')) await makeBomb()
  if (fresh) rules = fresh
  // reported before the counts restart, so that every call is counted once
  process.send({ counts })
  if (fresh) counts = {}
}
process.on('message', (message) => void follow(message))
process.on('disconnect', () => process.exit(0))
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send({ port: server.address().port }))
