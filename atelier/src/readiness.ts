// Checks whether store and engine answer. Anyone may ask at any rate, so one check serves all who ask within a second.
import type { Core } from './core.ts'

const keptMs = 1_000

type State = 'ok' | 'unavailable'

export interface Checks {
  readonly store: State
  readonly engine: State
}

const stateOf = (asking: Promise<unknown>): Promise<State> =>
  asking.then(
    () => 'ok',
    () => 'unavailable',
  )

export function createReadiness({ store, engine, now }: Pick<Core, 'store' | 'engine' | 'now'>): () => Promise<Checks> {
  let looking: Promise<Checks> | undefined
  let last: { readonly at: number; readonly checks: Checks } | undefined

  async function look(): Promise<Checks> {
    const [ofStore, ofEngine] = await Promise.all([stateOf(store.check()), stateOf(engine.ping())])
    looking = undefined
    last = { at: now(), checks: { store: ofStore, engine: ofEngine } }
    return last.checks
  }

  return async () => {
    // the clock may have been set back
    if (last && Math.abs(now() - last.at) < keptMs) return last.checks
    return (looking ??= look())
  }
}
