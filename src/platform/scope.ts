// Least power upstream: the words of a scope that names one GET, and the shelves where its tokens wait to be used again.

/** paging and order, which the platform leaves out of the comparison: all pages of a walk have one scope */
const uncounted: ReadonlySet<string> = new Set(['limit', 'cursor', 'sort'])

/** what an entry is cut apart by, and what cannot be seen */
const structural = /[\s%?&=+#\p{C}]/gu

// The documented example shows a query decoded: `?filter[platform]=IOS`. A reader that decodes an entry takes a bracket for
// itself either way, one that does not decode needs it plain. A character that would cut the entry elsewhere stays escaped.
const plain = (part: string): string => decodeURIComponent(part).replaceAll(structural, encodeURIComponent)

/** The entry for a GET of this target, which is one that we have encoded: the path as it is sent, the query decoded. */
export function scopeOf(target: string): string {
  const cut = target.indexOf('?')
  if (cut < 0) return `GET ${target}`
  const counted: string[] = []
  for (const pair of target.slice(cut + 1).split('&')) {
    const [name = '', ...value] = pair.split('=').map(plain)
    if (!uncounted.has(name)) counted.push([name, ...value].join('='))
  }
  // a decoded path could have other segments: an id may hold a slash
  return `GET ${target.slice(0, cut)}${counted.length > 0 ? `?${counted.join('&')}` : ''}`
}

/** one owner cannot push out what all the others keep */
const mostOfOne = 256
const mostOfAll = 4_096

export interface Shelves<Owner extends object, Kept extends object> {
  get(owner: Owner, name: string): Kept | undefined
  set(owner: Owner, name: string, kept: Kept): void
}

/** Keeps what was used last, so much for each owner and so much for all. Only with the owner in hand is any of it found. */
export function createShelves<Owner extends object, Kept extends object>(): Shelves<Owner, Kept> {
  const shelves = new WeakMap<Owner, Map<string, Kept>>()
  // in the order of use, each with the way to take it off its shelf
  const all = new Map<Kept, () => void>()

  function drop(kept: Kept | undefined) {
    if (kept === undefined) return
    all.get(kept)?.()
    all.delete(kept)
  }

  function put(shelf: Map<string, Kept>, name: string, kept: Kept) {
    shelf.set(name, kept)
    all.set(kept, () => void shelf.delete(name))
    if (shelf.size > mostOfOne) dropEldest(shelf.values())
    if (all.size > mostOfAll) dropEldest(all.keys())
  }

  function dropEldest([eldest]: Iterable<Kept>) {
    drop(eldest)
  }

  return {
    get(owner, name) {
      const shelf = shelves.get(owner)
      const kept = shelf?.get(name)
      if (shelf && kept) {
        drop(kept)
        put(shelf, name, kept)
      }
      return kept
    },
    set(owner, name, kept) {
      const shelf = shelves.get(owner) ?? new Map<string, Kept>()
      shelves.set(owner, shelf)
      drop(shelf.get(name))
      put(shelf, name, kept)
    },
  }
}
