// Builds the token scope for one GET, and caches what is made per scope.
import { LRUCache } from 'lru-cache'

/** the platform ignores paging and order when it compares, so all pages of a list share one scope */
const ignored: ReadonlySet<string> = new Set(['limit', 'cursor', 'sort'])
const structural = /[\s%?&=+#\p{C}]/gu

// The documented example has a decoded query: `?filter[platform]=IOS`. Brackets read the same decoded or not; a character that
// would separate parts stays escaped.
const plain = (part: string): string => decodeURIComponent(part).replaceAll(structural, encodeURIComponent)

/** `target` as Vitrine encodes it. Its path stays as sent, since an id may hold an escaped slash; its query is decoded. */
export function scopeOf(target: string): string {
  const cut = target.indexOf('?')
  if (cut < 0) return `GET ${target}`
  const counted: string[] = []
  for (const pair of target.slice(cut + 1).split('&')) {
    const [name = '', ...value] = pair.split('=').map(plain)
    if (!ignored.has(name)) counted.push([name, ...value].join('='))
  }
  return `GET ${target.slice(0, cut)}${counted.length > 0 ? `?${counted.join('&')}` : ''}`
}

const mostOfOne = 256
const mostOfAll = 4_096

/** Least recently used values go first, within one owner and over all. */
export function createScopedCache<Owner extends object, Value extends object>() {
  const caches = new WeakMap<Owner, LRUCache<string, Value>>()
  const all = new LRUCache<Value, () => void>({ max: mostOfAll, disposeAfter: (remove) => remove() })

  function open(owner: Owner): LRUCache<string, Value> {
    const cache = new LRUCache<string, Value>({
      maxSize: mostOfOne,
      sizeCalculation: () => 1,
      disposeAfter: (value) => void all.delete(value),
    })
    caches.set(owner, cache)
    return cache
  }

  return {
    get(owner: Owner, scope: string): Value | undefined {
      const value = caches.get(owner)?.get(scope)
      if (value) all.get(value)
      return value
    },
    set(owner: Owner, scope: string, value: Value) {
      const cache = caches.get(owner) ?? open(owner)
      cache.set(scope, value)
      all.set(value, () => void (cache.peek(scope) === value && cache.delete(scope)))
    },
  }
}
