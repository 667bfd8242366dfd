// Derived texts that the service serves, made at the first request: at every start they would cost 9 MB and 10 ms.
import type { Route } from '../catalogue/define.ts'

const readExamples = async () => (await import('./examples.json', { with: { type: 'json' } })).default

async function describeRoutes(routes: readonly Route[]): Promise<string> {
  const [{ describeApi }, examples] = await Promise.all([import('./openapi.ts'), readExamples()])
  return JSON.stringify(describeApi(routes, examples))
}

async function writeReference(routes: readonly Route[]): Promise<ReadonlyMap<string, string>> {
  const [{ servedPages }, examples, { default: errorExamples }] = await Promise.all([
    import('./reference/served-pages.ts'),
    readExamples(),
    import('./error-examples.json', { with: { type: 'json' } }),
  ])
  return servedPages(routes, examples, errorExamples)
}

/** Makes the value at the first call and keeps it. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      // perhaps no file could be opened: the next call tries again
      made = undefined
      throw error
    })
    return made
  }
}

export const lazyDescription = (routes: readonly Route[]): (() => Promise<string>) => once(() => describeRoutes(routes))

export const lazyForms = (routes: readonly Route[]): (() => Promise<string>) =>
  once(async () => JSON.stringify({ items: (await import('./forms.ts')).formsOf(routes) }))

/** the reference in Markdown, by path */
export const lazyReference = (routes: readonly Route[]): (() => Promise<ReadonlyMap<string, string>>) =>
  once(() => writeReference(routes))
