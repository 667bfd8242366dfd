// Serves given bytes at given paths, and 304 to who has them: what a proxy stands before when Vitrine's own answers are to be
// passed through. Takes the path of a JSON file of `{ path, etag, text }`; prints its port when it listens.
import { readFileSync } from 'node:fs'
import { answerOf, respond } from './responder.mjs'

const kept = JSON.parse(readFileSync(process.argv[2], 'utf8')).map(({ path, etag, text }) => {
  const headers = { etag, 'cache-control': 'private, max-age=3600' }
  const body = [Buffer.from(text)]
  const whole = answerOf(200, { 'content-type': 'application/json', ...headers }, body)
  return [path, { etag, whole, unchanged: answerOf(304, headers) }]
})
const pages = new Map(kept)
const unknown = answerOf(404, {})

const port = await respond((target, head, reply) => {
  const page = pages.get(target)
  if (!page) return reply(unknown)
  const [, condition] = /\r\nif-none-match: ([^\r]*)/i.exec(head) ?? []
  return reply(condition === page.etag ? page.unchanged : page.whole)
})
process.stdout.write(`${port}\n`)
