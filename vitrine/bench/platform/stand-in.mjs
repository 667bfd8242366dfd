// The platform, as far as a bench needs one: every document is built once and then sent as bytes, so that it is never what the
// others wait for. It checks no token, but wants one to be there. It counts its calls, and tells: GET /stand-in/calls begins
// anew, GET /stand-in/delay/20 has each call take 20 ms from now on. Prints its port when it listens. Its argument is how many
// calls an hour it says it allows.
import { documentOf } from './documents.mjs'
import { answerOf, respond } from './responder.mjs'

const json = { 'content-type': 'application/json' }
const perHour = Number(process.argv[2] ?? 3_600)
const allowance = { 'x-rate-limit': `user-hour-lim:${perHour};user-hour-rem:${perHour - 18};` }
const answers = new Map()
let calls = 0
let delayMs = 0

function refusal(status) {
  const error = { status: String(status), code: 'REFUSED', title: 'Refused by the stand-in' }
  return answerOf(status, json, [Buffer.from(JSON.stringify({ errors: [error] }))])
}
const [withoutToken, unknown] = [refusal(401), refusal(404)]

function build(target) {
  const document = documentOf(new URL(target, origin()))
  return document ? answerOf(200, { ...json, ...allowance }, document) : unknown
}

function command(target) {
  const told = { calls, delayMs }
  const [, , name, value] = target.split('/')
  if (name === 'calls') calls = 0
  if (name === 'delay') delayMs = Number(value)
  return answerOf(200, json, [Buffer.from(JSON.stringify(told))])
}

const origin = respond((target, head, reply) => {
  if (target.startsWith('/stand-in/')) return reply(command(target))
  calls++
  if (!/\r\nauthorization: /i.test(head)) return reply(withoutToken)
  const known = answers.get(target) ?? build(target)
  answers.set(target, known)
  return delayMs === 0 ? reply(known) : setTimeout(() => reply(known), delayMs)
})
