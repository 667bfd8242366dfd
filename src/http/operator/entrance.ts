// What of a request at the operator's port is answered without the token: the console, the description, probes and errors.
// All else is handed to the framework.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Exchange } from '../exchange.ts'
import type { Observe } from '../../observe.ts'
import type { Bounds, Given } from '../framework.ts'
import { answerPage, createPages, type FindPage, isErrorPath, openNameOf, type Pages, probePaths } from '../pages.ts'
import { type Console, openConsole } from './console-pages.ts'
import { inOurWords, problemOf } from './denials.ts'
import { base } from './operation.ts'

/** the one path that the framework's router sees; the caller's target stays as it came */
export const behindToken = base
/** a page of elsewhere may not have it as an image or a script of its own either */
export const unshared = { 'cross-origin-resource-policy': 'same-origin' } as const

/** path -> the page of the public door that answers there; the style sheet is that of the error pages */
const open: Readonly<Record<string, string>> = {
  [`${base}/openapi.json`]: '/openapi.json',
  ...Object.fromEntries([...probePaths, '/errors', '/errors.md', '/docs/docs.css'].map((path) => [path, path])),
}

/** the open page at this path, by its name at the public door or at the console */
function openAt({ path }: Exchange, shown: Console, pages: FindPage) {
  const at = isErrorPath(path) ? path : Object.hasOwn(open, path) ? open[path] : undefined
  if (at !== undefined) return { name: openNameOf(at) ?? at, find: (accept: string | undefined) => pages(at, accept) }
  const { name, page } = shown.find(path) ?? {}
  return name !== undefined && page ? { name, find: () => page } : undefined
}

interface Entrance extends Pages, Pick<Bounds, 'proxies' | 'hosts'> {
  /** absent: as it is built */
  readonly console?: Console
  readonly stopping: () => boolean
  readonly observe: Observe
}

export function enterBy(door: Entrance): (req: IncomingMessage, res: ServerResponse) => Given | undefined {
  const { observe, proxies, hosts, stopping } = door
  const shown = door.console ?? openConsole()
  const pages = createPages(door)
  return (req, res) => {
    const exchange = new Exchange(req, res, proxies.callerOf(req), observe)
    const page = openAt(exchange, shown, pages)
    if (!page) return { exchange, room: behindToken }
    exchange.fields.push(...Object.entries(unshared).flat())
    answerPage(exchange, { ...page, hosts, stopping })
      .catch((error: unknown) => exchange.refuse(inOurWords(problemOf(error, exchange.id, observe))))
      .catch(() => res.destroy())
    return undefined
  }
}
