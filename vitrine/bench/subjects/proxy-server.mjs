// The peer: `@fastify/http-proxy` as one would write it in five minutes. Kept connections to the platform, a fixed
// token, every byte passed through. Takes the platform's origin; prints its port when it listens.
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'

const [upstream] = process.argv.slice(2)
const app = fastify({ logger: false })
await app.register(proxy, {
  upstream,
  // as many connections as Vitrine keeps, used in the same way
  undici: { connections: 64, pipelining: 1 },
  replyOptions: { rewriteRequestHeaders: (_request, headers) => ({ ...headers, authorization: 'Bearer fixed' }) },
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${app.server.address().port}\n`)
