// What is derived, as text, made when it is first asked for: until then it would be 9 MB and 10 ms of every start.
import type { Route } from '../catalogue/define.ts'

const readExamples = async () => (await import('./examples.json', { with: { type: 'json' } })).default

async function describeRoutes(routes: readonly Route[]): Promise<string> {
  const [{ describe }, examples] = await Promise.all([import('./openapi.ts'), readExamples()])
  return JSON.stringify(describe(routes, examples))
}

async function writeReference(routes: readonly Route[]): Promise<ReadonlyMap<string, string>> {
  const [{ servedBook }, examples, { default: errorExamples }] = await Promise.all([
    import('./reference/served-book.ts'),
    readExamples(),
    import('./error-examples.json', { with: { type: 'json' } }),
  ])
  return servedBook(routes, examples, errorExamples)
}

/** what is made once, by whoever asks first */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      // no file could be opened, perhaps: whoever asks next tries again
      made = undefined
      throw error
    })
    return made
  }
}

export const serveDescription = (routes: readonly Route[]): (() => Promise<string>) =>
  madeOnce(() => describeRoutes(routes))

/** for forms: what can be asked, and how */
export const serveForms = (routes: readonly Route[]): (() => Promise<string>) =>
  madeOnce(async () => JSON.stringify({ items: (await import('./forms.ts')).formsOf(routes) }))

/** the reference in Markdown: path -> text */
export const serveReference = (routes: readonly Route[]): (() => Promise<ReadonlyMap<string, string>>) =>
  madeOnce(() => writeReference(routes))
