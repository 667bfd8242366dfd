// A caller of the service: so many requests in progress, or so many a second, and what came of each.
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** `ask(path)` never rejects: status 0 is no answer. `late` gets the duration of every answer. */
export function createCaller({ origin, key, localAddress, late = () => {} }) {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1_024 })
  const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }) }

  function send(path, answered) {
    const options = { hostname, port, path, headers, agent, ...(localAddress && { localAddress }) }
    const req = request(options, (res) => {
      const parts = []
      res.on('data', (part) => res.statusCode === 200 || parts.push(part))
      res.on('error', () => answered(0))
      res.on('end', () => answered(res.statusCode, Buffer.concat(parts).toString(), res.headers))
    })
    // a kept socket that the other side has just closed says nothing of the request
    req.on('error', () => (req.reusedSocket ? send(path, answered) : answered(0)))
    req.end()
  }

  function ask(path) {
    const sentAt = performance.now()
    return new Promise((ok) =>
      send(path, (status, text = '', fields = {}) => {
        const endedAt = performance.now()
        const ms = endedAt - sentAt
        late(ms)
        ok({ status, ms, sentAt, endedAt, text, retryAfterSec: Number(fields['retry-after'] ?? 0) })
      }),
    )
  }

  return {
    ask,
    /** so many at any time, until so many are answered or the seconds are over */
    async keep(inProgress, { count = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY, pathOf }) {
      const answers = []
      const endsAt = performance.now() + seconds * 1_000
      let next = 0
      const one = async () => {
        while (next < count && performance.now() < endsAt) answers.push(await ask(pathOf(next++)))
      }
      await Promise.all(Array.from({ length: inProgress }, one))
      return answers
    },
    /** so many a second whatever becomes of them, for these seconds or until `isOver` */
    async pace(perSecond, { seconds = Number.POSITIVE_INFINITY, isOver = () => false, pathOf, each = () => {} }) {
      const startedAt = performance.now()
      const asked = []
      while (!isOver() && asked.length < perSecond * seconds) {
        const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) + 1)
        while (asked.length < due) asked.push(ask(pathOf(asked.length)).then((answer) => (each(answer), answer)))
        await wait(Math.max(1, startedAt + (asked.length / perSecond) * 1_000 - performance.now()))
      }
      return Promise.all(asked)
    },
    close: () => agent.destroy(),
  }
}
