// The open pages of the public door: health, the description, the reference, a page per error. They need no key.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../problem.ts'
import { errorIndex, errorPage, isProblemCode } from './error-pages.ts'
import {
  addMarkdown,
  isMarkdownPath,
  markdownPaths,
  type MarkdownPages,
  sendEither,
  sendMarkdown,
} from './markdown-pages.ts'
import { jsonType } from './refusal.ts'

export interface Pages extends MarkdownPages {
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

/** of the process: these are asked often, by machines, and tell nobody anything but this */
export const probePaths = ['/livez', '/healthz', '/readyz'] as const

const fixed = [...probePaths, '/openapi.json', '/docs', '/docs/', ...assets.map(({ url }) => url), '/errors']
const fixedPaths: ReadonlySet<string> = new Set(fixed)

/** the paths that are open, as the framework's router has them */
export const openPaths: readonly string[] = [...fixed, '/errors/:code', ...markdownPaths]

/** the form of a name alone, of a page or of its twin in Markdown */
export const isErrorPath = (path: string): boolean =>
  path.startsWith('/errors/') && /^\/errors\/[\w-]+(?:\.md)?$/.test(path)

/** whether a path is open; the rest of the door asks for a key first */
export const isOpen = (path: string): boolean => fixedPaths.has(path) || isErrorPath(path) || isMarkdownPath(path)

export function addPages(app: FastifyInstance, pages: Pages) {
  const { description, ready } = pages
  const asset = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const reference = asset('index.html')
  // neither asks the store: a process that is started anew for a store that is away is no better off
  for (const url of ['/livez', '/healthz']) app.get(url, (_, reply) => reply.type(jsonType).send('{"status":"ok"}'))
  app.get('/readyz', async (_, reply) => {
    await ready()
    return reply.type(jsonType).send('{"status":"ready"}')
  })
  app.get('/openapi.json', async (_, reply) => reply.type(jsonType).send(await description()))
  for (const url of ['/docs', '/docs/'])
    app.get(url, (_, reply) => sendEither(reply, url, pages, () => sendPage(reply, reference)))
  for (const { url, file, type } of assets) {
    const text = asset(file)
    app.get(url, (_, reply) => reply.type(type).send(text))
  }
  app.get('/errors', (_, reply) => sendEither(reply, '/errors', pages, () => sendPage(reply, errorIndex())))
  app.get<{ Params: { code: string } }>('/errors/:code', ({ exchange: { path }, params: { code } }, reply) => {
    if (code.endsWith('.md')) return sendMarkdown(reply, path, pages)
    if (!isProblemCode(code)) throw new Problem('route_not_found')
    return sendEither(reply, path, pages, () => sendPage(reply, errorPage(code)))
  })
  addMarkdown(app, pages)
}
