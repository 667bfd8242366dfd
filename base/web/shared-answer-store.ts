// Answers that all replicas share, seen from one of them. The shared store decides; the local one saves fetching bytes again, and
// answers alone while the shared one is unreachable.
import { etagOf } from './conditional.ts'
import { isGone, type Kept, type Look, mostEntryBytes, type AnswerStore } from './answer-store.ts'

export interface Moment {
  readonly atMs: number
  readonly stamp: number
}

/** Nothing rejects; undefined: it is unreachable. */
export interface SharedAnswerStore {
  look(name: string): Promise<{ readonly now: Moment; readonly found: Moment | undefined } | undefined>
  bytesOf(name: string, found: Moment): Promise<Buffer | undefined>
  /** Without bytes: removes it. False if a later answer is there. */
  put(name: string, asked: Moment, what: { bytes: Buffer | undefined; maxAgeSec: number }): Promise<boolean | undefined>
}

export interface SharedLook {
  readonly asked: Moment
  readonly held: Kept | undefined
}

export interface SharedAnswers {
  look(look: Look, name: string): Promise<SharedLook | undefined>
  put(look: Look, name: string, asked: Moment, bytes: Buffer): Promise<Moment | undefined>
  drop(look: Look, name: string, asked: Moment): Promise<void>
}

/** true if the shared store was unreachable when we stored our copy */
const isNewer = (here: Kept | undefined, { stamp }: Moment, at: number): boolean =>
  here !== undefined && (here.stamp === undefined ? here.at >= at : here.stamp > stamp)

export function createSharedAnswers(shared: SharedAnswerStore, local: AnswerStore): SharedAnswers {
  /** equal requests under way share the bytes and one put */
  const puts = new WeakMap<Buffer, Promise<Moment | undefined>>()
  /** on their way to the shared store, by name: used by requests that just missed */
  const leaving = new Map<string, Kept>()

  async function heldOf(look: Look, name: string, now: Moment, found: Moment): Promise<Kept | undefined> {
    const ageMs = now.atMs - found.atMs
    // after a clock was set back, the age is unknown
    if (ageMs < 0 || ageMs >= look.maxAgeSec * 1000) return undefined
    const at = look.askedAt - ageMs
    const here = local.peek(look)
    if (here?.stamp === found.stamp && !isGone(here)) return { ...here, at }
    if (isNewer(here, found, at)) return undefined
    const bytes = await shared.bytesOf(name, found)
    if (!bytes) return undefined
    const one = { bytes, etag: etagOf(bytes), at, stamp: found.stamp }
    local.put(look, one)
    return one
  }

  async function putOnce({ askedAt, maxAgeSec }: Look, name: string, asked: Moment, bytes: Buffer) {
    const one = { bytes, etag: etagOf(bytes), at: askedAt, stamp: asked.stamp }
    leaving.set(name, one)
    // an answer too large to be cached still removes an older one
    const what = { bytes: bytes.length > mostEntryBytes ? undefined : bytes, maxAgeSec }
    const isLatest = (await shared.put(name, asked, what)) !== false
    if (leaving.get(name) === one) leaving.delete(name)
    return isLatest ? asked : undefined
  }

  return {
    async look(look, name) {
      const there = await shared.look(name)
      if (!there) return undefined
      const { now: asked, found } = there
      if (look.wishes.fresh) return { asked, held: undefined }
      return { asked, held: (found && (await heldOf(look, name, asked, found))) ?? leaving.get(name) }
    },
    put(look, name, asked, bytes) {
      const putting = puts.get(bytes) ?? putOnce(look, name, asked, bytes)
      puts.set(bytes, putting)
      return putting
    },
    async drop(look, name, asked) {
      local.drop(look, asked.stamp)
      await shared.put(name, asked, { bytes: undefined, maxAgeSec: look.maxAgeSec })
    },
  }
}
