// The open pages of the public door: health, the description, the reference, a page per error. They need no key.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../problem.ts'
import { errorIndex, errorPage, isProblemCode } from './error-pages.ts'
import { jsonType } from './refusal.ts'

export interface Pages {
  /** the OpenAPI description, as text; made when it is first asked for */
  readonly description: () => Promise<string>
  /** rejects while the service should get no traffic */
  readonly ready: () => Promise<void>
}

/** nothing inline and nothing from elsewhere: the reference asks people to paste a key into it */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const sendPage = (reply: FastifyReply, body: string): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    .send(body)

const folder = join(import.meta.dirname, 'docs')
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** the style sheet and the modules of the reference page */
const assets = readdirSync(folder).flatMap((file) => {
  const type = types[extname(file)]
  return type === undefined ? [] : [{ url: `/docs/${file}`, file, type }]
})

/** the paths that are open; the rest of the door asks for a key first */
export const openPaths: readonly string[] = [
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/docs/',
  ...assets.map((asset) => asset.url),
  '/errors',
]

export function addPages(app: FastifyInstance, { description, ready }: Pages) {
  const asset = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const reference = asset('index.html')
  app.get('/healthz', (_, reply) => reply.type(jsonType).send('{"status":"ok"}'))
  app.get('/readyz', async (_, reply) => {
    await ready()
    return reply.type(jsonType).send('{"status":"ready"}')
  })
  app.get('/openapi.json', async (_, reply) => reply.type(jsonType).send(await description()))
  for (const url of ['/docs', '/docs/']) app.get(url, (_, reply) => sendPage(reply, reference))
  for (const { url, file, type } of assets) {
    const text = asset(file)
    app.get(url, (_, reply) => reply.type(type).send(text))
  }
  app.get('/errors', (_, reply) => sendPage(reply, errorIndex()))
  app.get<{ Params: { code: string } }>('/errors/:code', ({ params: { code } }, reply) => {
    if (!isProblemCode(code)) throw new Problem('route_not_found')
    return sendPage(reply, errorPage(code))
  })
}
