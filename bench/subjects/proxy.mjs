// How the pass-through is started and what it is asked: the raw documents, as the platform sends them unasked.
import { join } from 'node:path'
import { start } from '../child.mjs'

const program = join(import.meta.dirname, 'proxy-server.mjs')

export const proxy = {
  name: 'proxy',
  about: '@fastify/http-proxy',

  async start({ platform, core }) {
    const child = await start([process.execPath, program, platform], { core })
    const port = await child.firstLine
    return { child, origin: `http://127.0.0.1:${port}`, headers: {} }
  },

  pathOf: { one: (id) => `/v1/customerReviewResponses/${id}`, page: () => '/v1/apps' },
  countIn: { one: ({ data }) => (data.id ? 1 : 0), page: ({ data }) => data.length },
}
