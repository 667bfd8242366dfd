// The platform, as far as a bench needs one: every document is built once and then sent as bytes, so that it is never what the
// others wait for. It checks no token, but wants one to be there. It counts its calls, and tells: GET /stand-in/calls begins
// anew, GET /stand-in/delay/20 has each call take 20 ms from now on. Takes JSON: { perHour, tls: { key, cert } }, the files of
// a second port, which answers by TLS and compressed. Prints its origins when it listens.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { documentOf } from './documents.mjs'
import { answerOf, respond } from './responder.mjs'

const { perHour = 3_600, tls } = JSON.parse(process.argv[2] ?? '{}')
const json = { 'content-type': 'application/json' }
const allowance = { 'x-rate-limit': `user-hour-lim:${perHour};user-hour-rem:${perHour - 18};` }
let calls = 0
let delayMs = 0

function refusal(status) {
  const error = { status: String(status), code: 'REFUSED', title: 'Refused by the stand-in' }
  return answerOf(status, json, [Buffer.from(JSON.stringify({ errors: [error] }))])
}
const [withoutToken, uncompressed, unknown] = [refusal(401), refusal(406), refusal(404)]

function build(target, isCompressed) {
  const document = documentOf(new URL(target, origins[Number(isCompressed)]))
  if (!document) return unknown
  if (!isCompressed) return answerOf(200, { ...json, ...allowance }, document)
  return answerOf(200, { ...json, ...allowance, 'content-encoding': 'gzip' }, [gzipSync(Buffer.concat(document))])
}

function command(target) {
  const told = { calls, delayMs }
  const [, , name, value] = target.split('/')
  if (name === 'calls') calls = 0
  if (name === 'delay') delayMs = Number(value)
  return answerOf(200, json, [Buffer.from(JSON.stringify(told))])
}

function answerer(isCompressed) {
  const answers = new Map()
  return (target, head, reply) => {
    if (target.startsWith('/stand-in/')) return reply(command(target))
    calls++
    if (!/\r\nauthorization: /i.test(head)) return reply(withoutToken)
    if (isCompressed && !/\r\naccept-encoding: [^\r]*gzip/i.test(head)) return reply(uncompressed)
    const known = answers.get(target) ?? build(target, isCompressed)
    answers.set(target, known)
    return delayMs === 0 ? reply(known) : setTimeout(() => reply(known), delayMs)
  }
}

const ports = [await respond(answerer(false))]
if (tls) ports.push(await respond(answerer(true), { key: readFileSync(tls.key), cert: readFileSync(tls.cert) }))
const origins = ports.map((port, i) => `http${i === 0 ? '' : 's'}://127.0.0.1:${port}`)
process.stdout.write(`${origins.join(' ')}\n`)
