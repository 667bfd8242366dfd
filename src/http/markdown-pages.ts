// The open pages in Markdown, for programs: llms.txt, the reference, and the twins of the pages for people, which answer
// with them to whoever would rather have Markdown. What they say is derived, and handed in.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../problem.ts'
import { prefersMarkdown } from './accept.ts'

export interface MarkdownPages {
  /** path -> text; made when it is first asked for */
  readonly reference: () => Promise<ReadonlyMap<string, string>>
}

const fixed = ['/llms.txt', '/docs.md', '/docs/routes.md', '/docs/settings.md', '/errors.md'] as const

/** as the framework's router has them: they are labels of metrics too, so they must be few */
const patterns = ['/docs/routes/:page', '/docs/settings/:page'] as const

export const markdownPaths: readonly string[] = [...fixed, ...patterns]

const fixedPaths: ReadonlySet<string> = new Set(fixed)

/** the form of a name alone: whether there is such a page, the pages know */
export const isMarkdownPath = (path: string): boolean =>
  fixedPaths.has(path) || /^\/docs\/(?:routes\/\w{1,100}|settings\/[\w.]{1,100})\.md$/.test(path)

const markdownType = 'text/markdown; charset=utf-8'

export async function sendMarkdown(
  reply: FastifyReply,
  path: string,
  { reference }: MarkdownPages,
): Promise<FastifyReply> {
  const text = (await reference()).get(path)
  if (text === undefined) throw new Problem('route_not_found')
  return reply.type(markdownType).send(text)
}

/** the twin of a page for people */
const twinOf = (path: string): string => `${path.replace(/\/$/, '')}.md`

/** `page`: sends what people see */
export function sendEither(reply: FastifyReply, path: string, pages: MarkdownPages, page: () => FastifyReply) {
  const twin = twinOf(path)
  void reply.headers({ vary: 'Accept', link: `<${twin}>; rel="alternate"; type="text/markdown"` })
  return prefersMarkdown(reply.request.headers.accept) ? sendMarkdown(reply, twin, pages) : page()
}

export function addMarkdown(app: FastifyInstance, pages: MarkdownPages) {
  for (const url of markdownPaths) app.get(url, ({ exchange }, reply) => sendMarkdown(reply, exchange.path, pages))
}
