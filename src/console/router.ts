// Which page is shown: the path of the address, and a few names in its query. Nothing that anybody typed goes there.
import { signal } from '@preact/signals'

export const pages = {
  '/': 'Overview',
  '/connections': 'Connections',
  '/keys': 'Keys',
  '/access': 'Access',
  '/explorer': 'Explorer',
  '/audit': 'Audit',
  '/health': 'Health',
} as const

export type Path = keyof typeof pages

export interface Place {
  readonly path: Path
  readonly query: URLSearchParams
}

const isPath = (path: string): path is Path => Object.hasOwn(pages, path)

const here = (): Place => ({
  path: isPath(location.pathname) ? location.pathname : '/',
  query: new URLSearchParams(location.search),
})

export const place = signal<Place>(here())

/** what is open and would be lost: told when somebody wants to go away */
let holder: (() => void) | undefined

/** nobody leaves until what this gives is called; `whenTried` says why */
export function hold(whenTried: () => void): () => void {
  holder = whenTried
  return () => {
    if (holder === whenTried) holder = undefined
  }
}

addEventListener('popstate', () => {
  if (holder) {
    // the step back is taken back
    const { path, query } = place.peek()
    history.pushState(null, '', hrefOf(path, Object.fromEntries(query)))
    holder()
  } else place.value = here()
})

export type Names = Readonly<Record<string, string | undefined>>

export function hrefOf(path: Path, names: Names = {}): string {
  const given = Object.entries(names).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** to another page */
export function go(path: Path, names: Names = {}) {
  if (holder) return holder()
  history.pushState(null, '', hrefOf(path, names))
  place.value = here()
}

/** the same page with other names: no step for the way back */
export function rename(names: Names) {
  history.replaceState(null, '', hrefOf(place.value.path, names))
  place.value = here()
}
