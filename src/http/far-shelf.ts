// What is remembered by all replicas together, seen from one of them. Its word goes before what is held here; what is held
// here only saves sending the bytes again, and answers alone while nobody can be asked.
import { etagOf } from './conditional.ts'
import { isGone, type Kept, type Look, mostEntryBytes, type Shelf } from './shelf.ts'

/** when something was asked for, by a clock and a count that all replicas have in common */
export interface Moment {
  readonly atMs: number
  /** higher for whatever was asked for later */
  readonly stamp: number
}

/** Nothing of it rejects; undefined says that there is nobody to ask. */
export interface FarShelf {
  /** now, and when what is remembered there was asked for */
  look(name: string): Promise<{ readonly now: Moment; readonly found: Moment | undefined } | undefined>
  /** undefined too where these are not the bytes that were put there then */
  bytesOf(name: string, found: Moment): Promise<Buffer | undefined>
  /** without bytes: it is there no longer. False where something that was asked for later is there */
  put(name: string, asked: Moment, what: { bytes: Buffer | undefined; maxAgeSec: number }): Promise<boolean | undefined>
}

export interface Seen {
  readonly asked: Moment
  readonly held: Kept | undefined
}

export interface FarSide {
  look(look: Look, name: string): Promise<Seen | undefined>
  /** when these bytes were asked for, as it is told from now on; undefined where something that was asked for later is there */
  put(look: Look, name: string, asked: Moment, bytes: Buffer): Promise<Moment | undefined>
  drop(look: Look, name: string, asked: Moment): Promise<void>
}

/** what was read here later than that: while nobody could be asked, or while the others were told of it in vain */
const isNewer = (here: Kept | undefined, { stamp }: Moment, at: number): boolean =>
  here !== undefined && (here.stamp === undefined ? here.at >= at : here.stamp > stamp)

export function createFarSide(far: FarShelf, shelf: Shelf): FarSide {
  /** equal questions under way are given the same bytes, which are put there by the first */
  const puts = new WeakMap<Buffer, Promise<Moment | undefined>>()
  /** on their way there, by name: whoever looked in vain a moment before does not read again what has just been read */
  const leaving = new Map<string, Kept>()

  async function heldOf(look: Look, name: string, now: Moment, found: Moment): Promise<Kept | undefined> {
    const ageMs = now.atMs - found.atMs
    // a clock that was set back says nothing of an age
    if (ageMs < 0 || ageMs >= look.maxAgeSec * 1000) return undefined
    const at = look.askedAt - ageMs
    const here = shelf.peek(look)
    if (here?.stamp === found.stamp && !isGone(here)) return { ...here, at }
    if (isNewer(here, found, at)) return undefined
    const bytes = await far.bytesOf(name, found)
    if (!bytes) return undefined
    const one = { bytes, etag: etagOf(bytes), at, stamp: found.stamp }
    shelf.put(look, one)
    return one
  }

  async function putOnce({ askedAt, maxAgeSec }: Look, name: string, asked: Moment, bytes: Buffer) {
    const one = { bytes, etag: etagOf(bytes), at: askedAt, stamp: asked.stamp }
    leaving.set(name, one)
    // what is too large to be kept takes the place of what is older, too
    const what = { bytes: bytes.length > mostEntryBytes ? undefined : bytes, maxAgeSec }
    const isLatest = (await far.put(name, asked, what)) !== false
    if (leaving.get(name) === one) leaving.delete(name)
    return isLatest ? asked : undefined
  }

  return {
    async look(look, name) {
      const there = await far.look(name)
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
      shelf.drop(look, asked.stamp)
      await far.put(name, asked, { bytes: undefined, maxAgeSec: look.maxAgeSec })
    },
  }
}
