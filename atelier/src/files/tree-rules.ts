// What may stand in one tree: each name once, nothing below a link or a file, and no link that leads out of it.
import { createHash } from 'node:crypto'
import { refuse } from '../problems.ts'
import { invalidArchive } from './archive-fault.ts'
import { isLinkText } from './paths.ts'

export type TreeEntryType = 'file' | 'directory' | 'symlink'

/** `implied`: named by an entry below it; `passed`: a link climbs out of it by `..`, so that it must not become a link */
type Place = TreeEntryType | 'implied' | 'passed'

export interface TreeRules {
  /** Throws unless the entry may follow those before it. An empty path is the tree's own directory. */
  add(path: string, type: TreeEntryType, linkTarget: string | null): void
}

/** 20,000 names of 4 KiB would be 80 MB: long ones are kept as their hash */
export const keyOf = (path: string): string =>
  path.length <= 48 ? path : createHash('sha256').update(path).digest('base64url')

export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

const mostTargetLevels = 64

export function createTreeRules(mostEntries: number): TreeRules {
  const places = new Map<string, Place>()
  let entries = 0
  let others = 0

  function count(isEntry: boolean) {
    const sum = isEntry ? ++entries : ++others
    if (sum > mostEntries) throw refuse('too_large', { limit: mostEntries })
  }

  function addParents(path: string) {
    for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) {
      const key = keyOf(parent)
      const place = places.get(key)
      if (place === 'symlink') throw invalidArchive('below_symlink', path)
      if (place === 'file') throw invalidArchive('below_file', path)
      if (place === 'directory' || place === 'implied') return
      if (!place) count(false)
      places.set(key, 'implied')
    }
  }

  /** `..` leads from here to the parent only if no level of it is a link, now or later. */
  function pass(levels: readonly string[], path: string) {
    for (let length = levels.length; length > 0; length--) {
      const key = keyOf(levels.slice(0, length).join('/'))
      const place = places.get(key)
      if (place === 'symlink') throw invalidArchive('bad_target', path)
      if (place === 'directory' || place === 'implied') return
      if (place) continue
      count(false)
      places.set(key, 'passed')
    }
  }

  function checkTarget(path: string, target: string | null) {
    if (target === null || !isLinkText(target) || target.startsWith('/')) throw invalidArchive('bad_target', path)
    const levels = path.split('/').slice(0, -1)
    for (const segment of target.split('/').filter((one) => one !== '' && one !== '.')) {
      if (segment === '..') {
        if (levels.length === 0) throw invalidArchive('bad_target', path)
        pass(levels, path)
        levels.pop()
      } else if (levels.push(segment) > mostTargetLevels) throw invalidArchive('bad_target', path)
    }
  }

  return {
    add(path, type, linkTarget) {
      count(true)
      addParents(path)
      const key = keyOf(path)
      const place = places.get(key)
      const mayFollow =
        !place || (place === 'implied' ? type === 'directory' : place === 'passed' && type !== 'symlink')
      if (!mayFollow) throw invalidArchive(place === 'passed' ? 'bad_target' : 'duplicate', path)
      places.set(key, type)
      if (type === 'symlink') checkTarget(path, linkTarget)
    },
  }
}
