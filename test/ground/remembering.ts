// A service that remembers its answers for a minute, over a platform that says what it is told to, and a clock that stands
// still until it is moved.
import type { TestContext } from 'node:test'
import type { Script } from './scripted-platform.ts'
import { send } from './scripted-platform.ts'
import { type ServiceOptions, startScripted } from './service.ts'

/** two codes, and perhaps more behind them */
export const codes = '/subscriptions/s1/offer-codes'
export const codesRead = '/v1/subscriptions/s1/offerCodes'

/** a page of offer codes; with `next`, the platform's cursor of the page behind it */
export const pageOf =
  (name: string, next?: string): Script =>
  (call, res) =>
    send(res, {
      data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes: { name, active: true } }],
      links: next === undefined ? {} : { next: `${call.url.replace(/&cursor=[^&]*/, '')}&cursor=${next}` },
    })

export async function startRemembering(t: TestContext, options: ServiceOptions = {}) {
  let at = 1_000_000
  // at the beginning of the hours in which a place has one cursor
  const window = 11 * 3_600_000
  const begunAt = Date.now() - (Date.now() % window)
  const { platform, service, close } = await startScripted(pageOf('Spring'), {
    steady: () => at,
    now: () => begunAt + at - 1_000_000,
    ...options,
    file: { cacheSeconds: 60, ...options.file },
  })
  t.after(close)
  return {
    ...{ platform, service, ask: service.ask },
    pass: (seconds: number) => void (at += seconds * 1000),
    calls: () => platform.calls.length,
    /** what the log was told of the latest answer, once it was */
    async seen() {
      const answered = () => service.events.filter((event) => event.kind === 'answered').at(-1)
      await new Promise((ok) => setTimeout(ok, 20))
      return answered()
    },
  }
}
