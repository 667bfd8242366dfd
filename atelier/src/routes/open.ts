// Open routes: health, readiness and the description of the API.
import { type Answer, answered } from '../api/route.ts'
import { defineRoute } from './service.ts'

export const showHealth = defineRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'showHealth',
  tag: 'service',
  summary: 'Whether the process serves',
  credential: 'none',
  answers: { 200: { json: 'Health', description: 'It serves.' } },
  refusals: [],
  run: async (): Promise<Answer> => ({ status: 200, body: { status: 'ok' } }),
})

export const showReadiness = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'showReadiness',
  tag: 'service',
  summary: 'Whether store and engine answer',
  description: 'One look at both serves all who ask within a second.',
  credential: 'none',
  answers: {
    200: { json: 'Readiness', description: 'Both answer.' },
    503: { json: 'Readiness', description: 'One does not, or the service is stopping.' },
  },
  refusals: [],
  async run({ exchange }, { readiness, isStopping }): Promise<Answer> {
    const checks = { ...(await readiness()), service: isStopping() ? 'stopping' : 'ok' }
    if (Object.values(checks).every((one) => one === 'ok')) return { status: 200, body: { status: 'ready' } }
    exchange.fields.push('retry-after', '1')
    return { status: 503, body: { status: 'not_ready', checks } }
  },
})

export const showDescription = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'showDescription',
  tag: 'service',
  summary: 'The OpenAPI description of this API',
  credential: 'none',
  answers: { 200: { media: 'application/json', description: 'OpenAPI 3.1.' } },
  refusals: [],
  async run({ exchange }, { description }) {
    exchange.sendPage({ text: description, fields: [] }, await description.as(exchange.req.headers['accept-encoding']))
    return answered
  },
})
