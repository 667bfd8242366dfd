// The reference as the service serves it: pages by their paths, with links to paths of the service.
import { posix } from 'node:path'
import type { Route } from '../../catalogue/define.ts'
import { otherWords } from '../../explanations.ts'
import { referencePages, type ReferencePages } from './pages.ts'
import { type ErrorExamples, otherErrorPage } from './error-page.ts'
import { agentsPage } from './agents-page.ts'
import type { Examples } from '../openapi.ts'

/** Errors are below /errors, where `docUrl` leads; all other pages are below /docs. */
function placeOf(name: string): string {
  if (name === 'README.md') return '/docs.md'
  return name.startsWith('errors') ? `/${name}` : `/docs/${name}`
}

const others: Readonly<Record<string, string>> = { 'openapi.json': '/openapi.json' }

const link = /\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g

/** A link to a page that the service does not have, such as a guide, becomes plain text. */
const readdress = (line: string, from: string, book: ReferencePages): string =>
  line.replaceAll(link, (whole, words: string, to: string) => {
    if (/^[a-z]+:|^\//.test(to)) return whole
    const name = posix.join(posix.dirname(from), to)
    const place = book.has(name) ? placeOf(name) : others[name]
    return place === undefined ? words : `[${words}](${place})`
  })

/** Code between fences is left alone. */
function readdressAll(text: string, from: string, book: ReferencePages): string {
  let isFenced = false
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('```')) isFenced = !isFenced
    return isFenced ? line : readdress(line, from, book)
  })
  return lines.join('\n')
}

/** text by path */
export function servedPages(
  routes: readonly Route[],
  examples: Examples,
  errorExamples: ErrorExamples,
): ReferencePages {
  const words = otherWords.map((word) => [`errors/${word}.md`, otherErrorPage(word)] as const)
  const book = new Map([...referencePages(routes, examples, errorExamples), ...words])
  const pages = [...book].map(([name, text]) => [placeOf(name), readdressAll(text, name, book)] as const)
  return new Map([['/llms.txt', agentsPage(routes)], ...pages])
}
