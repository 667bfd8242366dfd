// Notices that the engine is away or hangs, by the lists that the sweeps ask for anyway. A hung engine often still answers a ping,
// so a ping fails from then on until a list succeeds.
import { messageOf } from '../../../base/store/sql.ts'
import type { Observe } from '../events.ts'
import { type Engine, EngineError } from './port.ts'

/** one list may be slow, or meet a restart of the engine */
const mostFailures = 2

const isSilent = (error: unknown): error is EngineError =>
  error instanceof EngineError && /^(?:unavailable|timeout)$/.test(error.fault)

const reasonOf = ({ message, cause }: EngineError): string =>
  cause === undefined ? message : `${message} (${messageOf(cause)})`

export function watchedEngine(engine: Engine, observe: Observe): Engine {
  const failures = { list: 0, sizes: 0, info: 0 }
  let away: EngineError | undefined

  function failed(call: keyof typeof failures, error: unknown) {
    // other failures of the sizes may be those of one container
    if (!isSilent(error) && !(call === 'list' && error instanceof EngineError)) return
    failures[call] += 1
    if (away || (error.fault !== 'unavailable' && failures[call] < mostFailures)) return
    away = error
    observe({ kind: 'engine_away', reason: reasonOf(error) })
  }

  async function succeeded(call: 'list' | 'sizes') {
    failures[call] = 0
    if (call === 'list') failures.sizes = failures.info = 0
    if (!away || failures.list > 0) return
    const info = await engine.info().catch(() => undefined)
    if (!away || !info) return
    away = undefined
    observe({ kind: 'engine_back', dialect: info.dialect, version: info.version })
  }

  async function watched<T>(call: keyof typeof failures, act: () => Promise<T>): Promise<T> {
    try {
      const result = await act()
      // the information may be that of an earlier call, and then does not show that the engine answers
      if (call !== 'info') await succeeded(call)
      return result
    } catch (error) {
      failed(call, error)
      throw error
    }
  }

  return {
    ...engine,
    info: () => watched('info', () => engine.info()),
    list: () => watched('list', () => engine.list()),
    sizes: () => watched('sizes', () => engine.sizes()),
    async ping() {
      if (away) throw away
      await engine.ping()
    },
  }
}
