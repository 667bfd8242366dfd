// Asks from Node over kept connections, and times it: the client of works where a load generator would be the wrong one.
import { Agent, request } from 'node:http'

/** `ask(path, headers)` -> { status, bytes, ms }; rejects when nothing is answered */
export function createAsker(origin, { sockets = Number.POSITIVE_INFINITY } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, maxFreeSockets: 1_024 })
  const { hostname: host, port } = new URL(origin)

  function send(path, headers, settle) {
    const sentAt = performance.now()
    const req = request({ agent, host, port, path, headers }, (res) => {
      let bytes = 0
      res.on('data', (part) => (bytes += part.length))
      res.on('error', settle.reject)
      res.on('end', () => settle.resolve({ status: res.statusCode, bytes, ms: performance.now() - sentAt }))
    })
    // a kept socket that the other side has just closed says nothing of the request
    req.on('error', (error) => (req.reusedSocket ? send(path, headers, settle) : settle.reject(error)))
    req.end()
  }

  return {
    ask(path, headers) {
      const settle = Promise.withResolvers()
      send(path, headers, settle)
      return settle.promise
    },
    close: () => agent.destroy(),
  }
}
