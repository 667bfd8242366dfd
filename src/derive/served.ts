// The description as text, made when it is first asked for: until then it would be 9 MB and 10 ms of every start.
import type { Route } from '../catalogue/define.ts'

async function make(routes: readonly Route[]): Promise<string> {
  const [{ describe }, { default: examples }] = await Promise.all([
    import('./openapi.ts'),
    import('./examples.json', { with: { type: 'json' } }),
  ])
  return JSON.stringify(describe(routes, examples))
}

/** what is made once, by whoever asks first */
export function madeOnce(make: () => Promise<string>): () => Promise<string> {
  let text: Promise<string> | undefined
  return () => {
    text ??= make().catch((error: unknown) => {
      // no file could be opened, perhaps: whoever asks next tries again
      text = undefined
      throw error
    })
    return text
  }
}

export const serveDescription = (routes: readonly Route[]): (() => Promise<string>) => madeOnce(() => make(routes))
