// The open pages in Markdown, for programs: llms.txt, the reference, and the twins of the pages for people, which answer
// with them to whoever would rather have Markdown. What they say is derived, and handed in.
import { Problem } from '../problem.ts'
import { PageText } from './page-text.ts'

export interface MarkdownPages {
  /** path -> text; made when it is first asked for */
  readonly reference: () => Promise<ReadonlyMap<string, string>>
}

const fixed = ['/llms.txt', '/docs.md', '/docs/routes.md', '/docs/settings.md', '/errors.md'] as const

/** labels of metrics, so they must be few */
const [routePattern, settingPattern] = ['/docs/routes/:page', '/docs/settings/:page']

export const markdownPaths: readonly string[] = [...fixed, routePattern, settingPattern]

const fixedPaths: ReadonlySet<string> = new Set(fixed)

/** the form of a name alone: whether there is such a page, the pages know */
export function markdownNameOf(path: string): string | undefined {
  if (fixedPaths.has(path)) return path
  if (!path.startsWith('/docs/')) return undefined
  if (/^\/docs\/routes\/\w{1,100}\.md$/.test(path)) return routePattern
  return /^\/docs\/settings\/[\w.]{1,100}\.md$/.test(path) ? settingPattern : undefined
}

const markdownType = 'text/markdown; charset=utf-8'

/** the twin of a page for people */
export const twinOf = (path: string): string => `${path.replace(/\/$/, '')}.md`

export const linkTo = (path: string): readonly string[] => [
  'link',
  `<${twinOf(path)}>; rel="alternate"; type="text/markdown"`,
]

/** the page at a path, or a Problem */
export function createMarkdown({ reference }: MarkdownPages): (path: string) => Promise<PageText> {
  const made = new Map<string, PageText>()
  return async (path) => {
    const known = made.get(path)
    if (known) return known
    const text = (await reference()).get(path)
    if (text === undefined) throw new Problem('route_not_found')
    const page = new PageText(markdownType, text)
    made.set(path, page)
    return page
  }
}
