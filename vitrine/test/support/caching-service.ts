// A service that caches its answers for a minute, over a scripted platform, with a clock that stops until a test
// advances it.
import type { TestContext } from 'node:test'
import type { Script } from './scripted-platform.ts'
import { send } from './scripted-platform.ts'
import { type ServiceOptions, startScripted } from './service.ts'

/** the path of two offer codes, and of the pages behind them */
export const codes = '/subscriptions/s1/offer-codes'
export const codesRead = '/v1/subscriptions/s1/offerCodes'

/** a page of offer codes; `next` is the platform's cursor of the following page */
export const pageOf =
  (name: string, next?: string): Script =>
  (call, res) =>
    send(res, {
      data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes: { name, active: true } }],
      links: next === undefined ? {} : { next: `${call.url.replace(/&cursor=[^&]*/, '')}&cursor=${next}` },
    })

export async function startCaching(t: TestContext, options: ServiceOptions = {}) {
  let at = 1_000_000
  // the start of the hours in which one position has one cursor
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
    platform,
    service,
    ask: service.ask,
    pass: (seconds: number) => void (at += seconds * 1000),
    calls: () => platform.calls.length,
    /** the log event of the latest answer */
    async seen() {
      const answered = () => service.events.filter((event) => event.kind === 'answered').at(-1)
      await new Promise((ok) => setTimeout(ok, 20))
      return answered()
    },
  }
}
