// Lookups over several pages: absence or uniqueness is decided only after the whole listing was read.
import assert from 'node:assert/strict'
import { guard, type Json, listing, type ExampleRoute } from '../support/example-routes.ts'
import { refuse, type Script, send } from '../support/scripted-platform.ts'
import { malformed } from './document-rows.ts'
import { type Expected, faults, type ScriptedFault } from './fault.ts'

const named = (id: string, locale: string): Json => ({ type: 'appEventLocalizations', id, attributes: { locale } })
const wanted = named('l1', 'en-US')
const other = named('l9', 'de-DE')
const owned = (id: string): Json => ({ type: 'appInfos', id })

type Page = Script | Json[]

/** a listing in these pages; with `forEver`, the last one always links to a new cursor */
const pages =
  (place: ExampleRoute, list: readonly Page[], forEver = false): Script =>
  (call, res) => {
    if (call.path !== place.read) return send(res, place.others[call.path])
    const at = Number(call.query.get('cursor') ?? 0)
    const found = list[Math.min(at, list.length - 1)] ?? []
    if (typeof found === 'function') return found(call, res)
    const next = `${call.url.replace(/&cursor=.*/, '')}&cursor=${at + 1}`
    return send(res, { data: found, links: forEver || at + 1 < list.length ? { next } : {} })
  }

const refusing =
  (status: number, headers: Record<string, string> = {}): Script =>
  (_, res) =>
    refuse(res, status, 'NOT_FOUND', undefined, headers)

/** no resource behind the listing was read */
const onlyListed: ScriptedFault['more'] = (_, { platform }) => {
  assert.ok('calls' in platform)
  for (const { path } of platform.calls) assert.equal(path, listing.read)
}

const ambiguous: Omit<Expected, 'calls'> = {
  status: 409,
  type: 'ambiguous_selection',
  code: 'ambiguous_selection',
  retryAfter: null,
}
const absent: Expected = { status: 404, type: 'localization_not_found', code: 'localization_not_found', calls: 1 }

const at = listing
const more = onlyListed

faults([
  {
    id: 'F89',
    fault: 'two localizations of one locale',
    at,
    more,
    script: pages(at, [[wanted, named('l2', 'en-US')]]),
    expect: { ...ambiguous, calls: 1 },
  },
  {
    id: 'F89',
    fault: 'two localizations of one locale, two pages apart',
    at,
    more,
    script: pages(at, [[wanted], [other], [named('l2', 'en-US')]]),
    expect: { ...ambiguous, calls: 3 },
  },
  {
    id: 'F89',
    fault: 'one localization that comes twice is one',
    at,
    script: pages(at, [[wanted], [wanted]]),
    expect: { status: 200, json: at.answer, calls: 3 },
  },
  {
    id: 'F90',
    fault: 'the localization is on the third page',
    at,
    script: pages(at, [[other], [], [wanted]]),
    expect: { status: 200, json: at.answer, calls: 4 },
  },
  {
    id: 'F90',
    fault: 'the app info is on the third page of the ownership list',
    at: guard,
    script: pages(guard, [[owned('i8')], [], [owned('i1')]]),
    expect: { status: 200, json: guard.answer, calls: 4 },
  },
])

interface Second {
  readonly words: string
  readonly page: Page
  readonly expect: Omit<Expected, 'type'> & { readonly type?: string }
}

const seconds: Second[] = [
  { words: '500', page: refusing(500), expect: { status: 502, code: 'upstream_failed', calls: 4 } },
  { words: '503', page: refusing(503), expect: { status: 503, code: 'upstream_unavailable', calls: 4 } },
  { words: '504', page: refusing(504), expect: { status: 504, code: 'upstream_timeout', calls: 4 } },
  { words: '404', page: refusing(404), expect: { ...malformed, calls: 2 } as Second['expect'] },
  { words: '410', page: refusing(410), expect: { ...malformed, calls: 2 } as Second['expect'] },
  { words: '409', page: refusing(409), expect: { status: 502, code: 'upstream_failed', calls: 2 } },
  {
    words: '403',
    page: refusing(403),
    expect: { status: 403, type: 'upstream_forbidden', code: 'upstream_forbidden', calls: 2 },
  },
  {
    words: '429',
    page: refusing(429, { 'retry-after': '1' }),
    expect: { status: 429, type: 'rate_limited', code: 'upstream_rate_limited', retryAfter: 1, calls: 2 },
  },
  {
    words: 'errors with 200',
    page: (_, res) => send(res, { errors: [] }),
    expect: { ...malformed, calls: 2 } as Second['expect'],
  },
  {
    words: 'a member without a locale',
    page: [{ type: 'appEventLocalizations', id: 'l3' }],
    expect: { ...malformed, calls: 2 } as Second['expect'],
  },
  { words: 'no answer', page: (_, res) => void res.socket?.destroy(), expect: { status: 503, calls: 4 } },
]

faults(
  seconds.flatMap(({ words, page, expect }): ScriptedFault[] =>
    // also if the first page has the locale: a second one could follow
    [[other], [wanted]].map((first, i) => ({
      id: 'F91',
      fault: `${words} on page 2, ${i ? 'behind' : 'without'} a match on page 1`,
      at,
      more,
      script: pages(at, [first, page]),
      expect: { type: 'upstream_error', ...expect },
    })),
  ),
)

faults([
  {
    id: 'F91',
    fault: '500 on page 2 of the ownership list',
    at: guard,
    script: pages(guard, [[owned('i8')], refusing(500)]),
    expect: { status: 502, type: 'upstream_error', code: 'upstream_failed', calls: 4 },
  },
  {
    id: 'F92',
    fault: 'a listing of 60 pages without a match',
    at,
    more,
    script: pages(
      at,
      Array.from({ length: 60 }, () => [other]),
    ),
    expect: { ...malformed, calls: 50 },
  },
  {
    id: 'F92',
    fault: 'a listing without an end, with a match',
    at,
    more,
    script: pages(at, [[wanted], [other]], true),
    expect: { ...malformed, calls: 50 },
  },
  {
    id: 'F92',
    fault: 'an ownership list without an end',
    at: guard,
    script: pages(guard, [[owned('i8')]], true),
    expect: { ...malformed, calls: 50 },
  },
  {
    id: 'F92',
    fault: '50 pages are a listing',
    at,
    script: pages(at, [...Array.from({ length: 49 }, () => [other]), [wanted]]),
    expect: { status: 200, json: at.answer, calls: 51 },
  },
  {
    id: 'F93',
    fault: 'locales that differ by case, or only resemble the asked one',
    at,
    more,
    script: pages(at, [['en-us', 'EN-US', 'en', 'en_US', 'en-US '].map((locale, i) => named(`l${i}`, locale))]),
    expect: absent,
  },
])
