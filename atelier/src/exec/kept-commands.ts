// The commands that go on without their callers. Their output is kept in memory within three bounds: for each command, for each
// account, and in all. The oldest output falls out first; in all, that of the account that holds most.
import { commandBytes, KeptCommand, type KeptEnd, type KeptPlace } from './kept-command.ts'
import type { OutputLine } from './output-lines.ts'

/** how long the output of a command can be read after its end */
export const keptAfterEndMs = 10 * 60_000

export interface KeptLimits {
  readonly ofCommand: number
  readonly ofAccount: number
  readonly ofAll: number
}

interface Holding {
  bytes: number
  readonly commands: Set<KeptCommand>
}

class Holdings {
  readonly #ofAccounts = new Map<string, Holding>()
  total = 0

  of({ place }: KeptCommand): Holding {
    const holding = this.#ofAccounts.get(place.account) ?? { bytes: 0, commands: new Set() }
    this.#ofAccounts.set(place.account, holding)
    return holding
  }

  count(kept: KeptCommand, bytes: number) {
    this.of(kept).bytes += bytes
    this.total += bytes
  }

  add(kept: KeptCommand) {
    this.of(kept).commands.add(kept)
    this.count(kept, commandBytes)
  }

  remove(kept: KeptCommand) {
    const { commands } = this.of(kept)
    commands.delete(kept)
    this.count(kept, -commandBytes - kept.bytes)
    if (commands.size === 0) this.#ofAccounts.delete(kept.place.account)
  }

  largest(): Holding | undefined {
    let most: Holding | undefined
    for (const one of this.#ofAccounts.values()) if (!most || one.bytes > most.bytes) most = one
    return most
  }
}

export function createKeptCommands({ ofCommand, ofAccount, ofAll }: KeptLimits) {
  const byId = new Map<string, KeptCommand>()
  const timers = new Map<KeptCommand, NodeJS.Timeout>()
  const holdings = new Holdings()
  const isKept = (kept: KeptCommand): boolean => byId.has(kept.place.id)

  function forget(kept: KeptCommand) {
    if (!byId.delete(kept.place.id)) return
    clearTimeout(timers.get(kept))
    timers.delete(kept)
    holdings.remove(kept)
    kept.clear()
  }

  /** false: nothing is left that could be freed */
  function freeOldest({ commands }: Holding): boolean {
    for (const kept of commands) {
      const freed = kept.dropOldest()
      holdings.count(kept, -freed)
      if (freed > 0) return true
      if (kept.end) return (forget(kept), true)
    }
    return false
  }

  function bound(kept: KeptCommand) {
    while (kept.bytes > ofCommand) holdings.count(kept, -kept.dropOldest())
    const mine = holdings.of(kept)
    while (mine.bytes > ofAccount && freeOldest(mine));
    for (;;) {
      const most = holdings.total > ofAll ? holdings.largest() : undefined
      if (!most || !freeOldest(most)) return
    }
  }

  return {
    begin(place: KeptPlace): KeptCommand {
      const kept = new KeptCommand(place)
      byId.set(place.id, kept)
      holdings.add(kept)
      bound(kept)
      return kept
    },
    add(kept: KeptCommand, line: OutputLine) {
      const cost = kept.add(line)
      if (isKept(kept)) {
        holdings.count(kept, cost)
        bound(kept)
      } else kept.clear()
      kept.tell()
    },
    finish(kept: KeptCommand, end: KeptEnd) {
      kept.finish(end)
      if (isKept(kept)) timers.set(kept, setTimeout(() => forget(kept), keptAfterEndMs).unref())
    },
    find(account: string, id: string): KeptCommand | undefined {
      const kept = byId.get(id)
      return kept?.place.account === account ? kept : undefined
    },
    forgetContainer(container: string) {
      for (const kept of byId.values()) if (kept.place.container === container) forget(kept)
    },
    most: ofAll,
    get bytes(): number {
      return holdings.total
    },
  }
}

export type KeptCommands = ReturnType<typeof createKeptCommands>
