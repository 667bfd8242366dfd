// The same pages as the service gives them: by their paths on it, with links that lead to paths on it.
import { posix } from 'node:path'
import type { Route } from '../../catalogue/define.ts'
import { otherWords } from '../../explanations.ts'
import { bookOf, type Book } from './book.ts'
import { type ErrorExamples, otherErrorPage } from './error-page.ts'
import { agentsPage } from './agents-page.ts'
import type { Examples } from '../openapi.ts'

/** where a page of the book is on the service: errors beside the pages that `docUrl` names, all else below /docs */
function placeOf(name: string): string {
  if (name === 'README.md') return '/docs.md'
  return name.startsWith('errors') ? `/${name}` : `/docs/${name}`
}

/** files beside the pages that the service has too */
const others: Readonly<Record<string, string>> = { 'openapi.json': '/openapi.json' }

const link = /\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g

/** a link to what the service has not, such as a guide, leaves its words behind */
function readdress(line: string, from: string, book: Book): string {
  return line.replaceAll(link, (whole, words: string, to: string) => {
    if (/^[a-z]+:|^\//.test(to)) return whole
    const name = posix.join(posix.dirname(from), to)
    const place = book.has(name) ? placeOf(name) : others[name]
    return place === undefined ? words : `[${words}](${place})`
  })
}

/** what stands between fences is nobody's link */
function readdressAll(text: string, from: string, book: Book): string {
  let isFenced = false
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('```')) isFenced = !isFenced
    return isFenced ? line : readdress(line, from, book)
  })
  return lines.join('\n')
}

/** path -> text */
export function servedBook(routes: readonly Route[], examples: Examples, errorExamples: ErrorExamples): Book {
  const words = otherWords.map((word) => [`errors/${word}.md`, otherErrorPage(word)] as const)
  const book = new Map([...bookOf(routes, examples, errorExamples), ...words])
  const pages = [...book].map(([name, text]) => [placeOf(name), readdressAll(text, name, book)] as const)
  return new Map([['/llms.txt', agentsPage(routes)], ...pages])
}
