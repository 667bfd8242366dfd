// What the compiler must accept of the client, and, in the line below each expectation, what it must refuse. Never run.
import {
  type App,
  type AppEvent,
  type List,
  type OperationName,
  operations,
  type Page,
  RateLimitedError,
  Vitrine,
  VitrineError,
} from '../../client/vitrine.ts'

/* oxlint-disable typescript/no-unnecessary-type-parameters -- types are compared here, and nothing is run */

/** true for identical types; types assignable in both directions are not always identical */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function isTrue<T extends true>(...witness: T[]): void

const vitrine = new Vitrine({ url: 'https://vitrine.example', key: 'k', connection: 'studio', fetch })

export async function selections() {
  const whole = await vitrine.getEvent({ eventId: '1' })
  isTrue<Same<typeof whole, AppEvent & { readonly requestId: string }>>()
  const some = await vitrine.getEvent({ eventId: '1', fields: ['badge', 'purpose'] })
  isTrue<Same<Exclude<keyof typeof some, 'requestId'>, 'id' | 'badge' | 'purpose'>>()
  const single = await vitrine.getEvent({ eventId: '1', fields: 'badge' })
  isTrue<Same<Exclude<keyof typeof single, 'requestId'>, 'id' | 'badge'>>()
  // @ts-expect-error: it was not asked for
  void some.referenceName
  const named = await vitrine.listApps({ fields: ['name'] })
  isTrue<Same<(typeof named.items)[number], Pick<App, 'id' | 'name'>>>()
  // @ts-expect-error: a link is no field
  await vitrine.listApps({ fields: ['ciProductId'] })
  // @ts-expect-error: no such field
  await vitrine.getEvent({ eventId: '1', fields: ['bagde'] })
  // @ts-expect-error: this one is always read whole
  await vitrine.getPerformanceOverview({ appId: '1', fields: ['version'] })
}

export async function parameters() {
  await vitrine.listApps()
  await vitrine.listApps({ limit: undefined, sort: ['name', '-bundleId'], versionPlatform: 'IOS', name: 'Tidal' })
  const kept: readonly ('name' | 'sku')[] = ['name', 'sku']
  await vitrine.listApps({ fields: kept })
  // @ts-expect-error: the path needs it
  await vitrine.getEvent({})
  // @ts-expect-error: an id is a text
  await vitrine.getEvent({ eventId: 7 })
  // @ts-expect-error: no such parameter
  await vitrine.listApps({ nmae: 'Tidal' })
  // @ts-expect-error: a closed list
  await vitrine.listApps({ versionPlatform: 'ANDROID' })
  // @ts-expect-error: no such sort order
  await vitrine.listApps({ sort: 'primaryLocale' })
  // @ts-expect-error: a number
  await vitrine.listApps({ limit: '5' })
  await vitrine.listBetaFeedbackSubmissions({ appId: '1', 'build.preReleaseVersion': ['a', 'b'] })
}

export async function values() {
  const event = await vitrine.getEvent({ eventId: '1' })
  if (event.badge === 'LIVE_EVENT' || event.badge === 'A_WORD_OF_TOMORROW') event.id.trim()
  isTrue<Same<typeof event.id, string>>()
  isTrue<Same<typeof event.referenceName, string | null | undefined>>()
  // @ts-expect-error: it may be absent or null
  void event.referenceName.length
  // @ts-expect-error: an answer is read, not written
  event.id = '2'
  // @ts-expect-error: a text, even with known values
  void (event.badge === 7)
  event.territorySchedules?.[0]?.territories?.[0]?.trim()
  const actual = (await vitrine.listWinBackOfferPrices({ winBackOfferId: '1' })).items[0]?.territoryId
  isTrue<Same<typeof actual, string | null | undefined>>()
  const { breaker, quota } = await vitrine.connectionStatus()
  isTrue<Same<typeof breaker, 'closed' | 'open' | 'half-open'>>()
  quota.hour?.remaining.toFixed()
  isTrue<Same<Awaited<ReturnType<typeof vitrine.whoami>>['expiresAt'], string | null>>()
}

export async function lists() {
  const list = vitrine.listApps({ fields: 'name' })
  isTrue<Same<typeof list, List<Pick<App, 'id' | 'name'>>>>()
  for await (const app of list) isTrue<Same<typeof app, Pick<App, 'id' | 'name'>>>()
  for await (const page of list.pages({ cursor: 'c' })) page.nextCursor?.trim()
  isTrue<Same<Awaited<typeof list>, Page<Pick<App, 'id' | 'name'>> & { readonly requestId: string }>>()
  const ids = await vitrine.listAppVersionIds({ appId: '1' }).toArray({ max: 10 })
  isTrue<Same<typeof ids, string[]>>()
  // @ts-expect-error: max is required
  await list.toArray()
  // @ts-expect-error: ids have no fields
  vitrine.listAppVersionIds({ appId: '1', fields: ['name'] })
  // @ts-expect-error: one resource is no list
  vitrine.getEvent({ eventId: '1' }).pages()
}

export function errors(error: unknown) {
  if (error instanceof RateLimitedError) error.retryAfterSec?.toFixed()
  if (!(error instanceof VitrineError)) return
  if (error.type === 'not_known_yet' || error.code === 'key_invalid') error.requestId.trim()
  isTrue<Same<typeof error.retryable, boolean>>()
}

export async function byName(name: OperationName, anything: string) {
  operations[name].pathParameters.join()
  // @ts-expect-error: not every text is an operation
  void operations[anything].path
  const read = await vitrine.read(anything, { any: 'thing' })
  isTrue<Same<typeof read, Readonly<Record<string, unknown>> & { readonly requestId: string }>>()
  for await (const item of vitrine.walk(anything)) isTrue<Same<typeof item, unknown>>()
  const bound = vitrine.connection('other').connection('third')
  isTrue<Same<typeof bound, Vitrine>>()
}
