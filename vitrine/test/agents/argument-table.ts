// Arguments of operations, and the outcome at every entrance: `200` with the number of rows, or a code and the wrong
// parameter. Typed by hand. Long because it is a table.

export interface Row {
  readonly operation: unknown
  readonly params: unknown
  readonly expected: string
  /** undefined: acme */
  readonly connection?: unknown
  /** the same call on the command line; null: not possible there. Derived if absent and every value is text or a list */
  readonly words?: readonly string[] | null
  /** POST /mcp refuses the whole body */
  readonly isNoBody?: true
}

const apps = 'listApps'
const feedback = 'listBetaFeedbackSubmissions'
const ages = 'listTerritoryAgeRatings'
const app = '6446998001'
const info = '0b5c7d12-6e3f-4a80-9c41-0c0000000012'
const event = '3f0c1b52-8a64-4e5e-9d10-0e0000000003'

type Short = readonly [operation: unknown, params: unknown, expected: string, more?: Partial<Row>]

const mute = { words: null }
const said = (...words: string[]) => ({ words })

const taken: readonly Short[] = [
  [apps, {}, '200 24'],
  [apps, undefined, '200 24', said()],
  [apps, { limit: 2 }, '200 2'],
  [apps, { limit: '2' }, '200 2'],
  [apps, { limit: 200 }, '200 24'],
  [apps, { limit: [3] }, '200 3'],
  [apps, { fields: 'name,bundleId', limit: 1 }, '200 1'],
  [apps, { fields: ['name', 'bundleId'], limit: 1 }, '200 1'],
  [apps, { fields: ['name'], limit: 1 }, '200 1'],
  [apps, { sort: '-name,bundleId', limit: 1 }, '200 1'],
  [apps, { sort: ['-name', 'bundleId'], limit: 1 }, '200 1'],
  [apps, { id: app }, '200 1'],
  [apps, { id: 6446998001 }, '200 1'],
  [apps, { id: [6446998001, '6446998002'] }, '200 2'],
  [apps, { id: '6446998001,6446998002' }, '200 2'],
  [apps, { name: 'no such name' }, '200 0'],
  [apps, { name: true }, '200 0'],
  [apps, { name: [true, false, 7] }, '200 0'],
  [apps, { name: ' ' }, '200 0'],
  [apps, { name: 'Größe & 潮=%2C+#?/\\' }, '200 0'],
  [apps, { versionPlatform: 'IOS,MAC_OS', limit: 1 }, '200 1'],
  [apps, { versionPlatform: ['IOS', 'MAC_OS'], limit: 1 }, '200 1'],
  [apps, { fields: undefined, limit: 1 }, '200 1', said('--limit=1')],
  [feedback, { appId: app, limit: 1 }, '200 1'],
  [feedback, { appId: 6446998001, limit: 1 }, '200 1'],
  [feedback, { appId: 6446998001, deviceModel: 15, limit: 1 }, '200 0'],
  [feedback, { appId: app, sort: '-createdDate', fields: 'comment', limit: 2 }, '200 2'],
  [ages, { appId: 6446998001, appInfoId: info, limit: 3 }, '200 3'],
  ['listAppVersionIds', { appId: 6446998001, limit: 3 }, '200 3'],
  ['getEvent', { eventId: event }, '200 1'],
  ['getEvent', { eventId: event, fields: 'badge,purpose' }, '200 1'],
  ['listSubscriptionOfferCodes', { subscriptionId: 6746005009, limit: 2 }, '200 2'],
  ['getLegacySubscriptionLocalization', { subscriptionId: 6746005009, locale: 'en-US' }, '200 1'],
  [apps, { limit: 1 }, '200 1', { connection: 'other' }],
]

const paths: readonly Short[] = [
  [feedback, {}, 'value_not_allowed appId'],
  [feedback, undefined, 'value_not_allowed appId', said()],
  [feedback, { appId: undefined }, 'value_not_allowed appId', said()],
  [feedback, { appId: '' }, 'empty_parameter appId'],
  [feedback, { appId: null }, 'empty_parameter appId', mute],
  [feedback, { appId: [app] }, 'value_not_allowed appId', mute],
  [feedback, { appId: [app, '6446998002'] }, 'value_not_allowed appId', mute],
  [feedback, { appId: [] }, 'value_not_allowed appId', mute],
  [feedback, { appId: { id: app } }, 'value_not_allowed appId', mute],
  [feedback, { appId: 6446998001.5 }, 'value_not_allowed appId', mute],
  [feedback, { appId: 2 ** 53 }, 'value_not_allowed appId', mute],
  [feedback, { appId: 1e21 }, 'value_not_allowed appId', mute],
  [feedback, { appId: -1 }, 'resource_not_found'],
  [feedback, { appId: true }, 'resource_not_found'],
  [feedback, { appId: '6446998001,6446998002' }, 'resource_not_found'],
  [feedback, { appId: '.' }, 'resource_not_found appId'],
  [feedback, { appId: '..' }, 'resource_not_found appId'],
  [feedback, { appId: '1/../2' }, 'resource_not_found'],
  [feedback, { appId: 'a\nb' }, 'resource_not_found'],
  [feedback, { appId: '%2e%2e' }, 'resource_not_found'],
  [feedback, { appId: 'x\ud800' }, 'value_not_allowed appId', mute],
  [ages, { appId: app }, 'value_not_allowed appInfoId'],
  [ages, { appId: app, appInfoId: '' }, 'empty_parameter appInfoId'],
  [ages, { appId: '6446998002', appInfoId: info }, 'resource_not_found'],
  ['getLegacySubscriptionLocalization', { subscriptionId: 6746005009, locale: 'xx' }, 'localization_not_found'],
]

const queries: readonly Short[] = [
  [apps, { nmae: 'x' }, 'unknown_parameter nmae'],
  [apps, { 'filter[name]': 'x' }, 'unknown_parameter filter[name]'],
  [apps, { Limit: 1 }, 'unknown_parameter Limit'],
  [apps, { constructor: 'x' }, 'unknown_parameter constructor'],
  [apps, { toString: 'x' }, 'unknown_parameter toString'],
  [apps, JSON.parse('{"__proto__":"x"}'), 'unknown_parameter __proto__', { ...said('--__proto__=x'), isNoBody: true }],
  [apps, JSON.parse('{"__proto__":{"limit":1}}'), 'value_not_allowed __proto__', { ...mute, isNoBody: true }],
  [apps, { appId: app }, 'unknown_parameter appId'],
  ['getEvent', { eventId: event, limit: 1 }, 'unknown_parameter limit'],
  ['getEvent', { eventId: event, cursor: 'x' }, 'unknown_parameter cursor'],
  [apps, { name: '' }, 'empty_parameter name'],
  [apps, { name: [] }, 'empty_parameter name', said('--name=')],
  [apps, { name: [''] }, 'empty_parameter name', said('--name=')],
  [apps, { name: ['a', ''] }, 'empty_parameter name'],
  [apps, { name: 'a,,b' }, 'empty_parameter name'],
  [apps, { name: ',' }, 'empty_parameter name'],
  [apps, { name: null }, 'empty_parameter name', mute],
  [apps, { fields: null }, 'empty_parameter fields', mute],
  [apps, { limit: null }, 'empty_parameter limit', mute],
  [apps, { name: ['a', null] }, 'empty_parameter name', mute],
  [apps, { name: { a: 1 } }, 'value_not_allowed name', mute],
  [apps, { name: [['a']] }, 'value_not_allowed name', mute],
  [apps, { name: ['Salt, Sea'] }, 'value_not_allowed name', mute],
  [apps, { name: 0.5 }, 'value_not_allowed name', mute],
  [apps, { id: [9007199254740992] }, 'value_not_allowed id', mute],
  [apps, { name: 'half \ud800' }, 'value_not_allowed name', mute],
  [apps, { name: 'a\u0000b' }, 'value_not_allowed name', mute],
  [apps, { fields: 'nam' }, 'value_not_allowed fields'],
  [apps, { fields: 'name,nam' }, 'value_not_allowed fields'],
  [apps, { fields: 'id' }, 'value_not_allowed fields'],
  [apps, { fields: ['name', 'name'] }, 'value_not_allowed fields'],
  [apps, { fields: 'name, bundleId' }, 'value_not_allowed fields'],
  [apps, { fields: true }, 'value_not_allowed fields'],
  [apps, { sort: 'nme' }, 'value_not_allowed sort'],
  [apps, { sort: 'name,-name' }, 'value_not_allowed sort'],
  [apps, { versionPlatform: 'IOSS' }, 'value_not_allowed versionPlatform'],
  [apps, { versionPlatform: ['IOS', 'ios'] }, 'value_not_allowed versionPlatform'],
  [apps, { limit: 0 }, 'value_not_allowed limit'],
  [apps, { limit: 201 }, 'value_not_allowed limit'],
  [apps, { limit: -1 }, 'value_not_allowed limit'],
  [apps, { limit: 1.5 }, 'value_not_allowed limit'],
  [apps, { limit: '1e2' }, 'value_not_allowed limit'],
  [apps, { limit: ' 5' }, 'value_not_allowed limit'],
  [apps, { limit: true }, 'value_not_allowed limit'],
  [apps, { limit: [1, 2] }, 'value_not_allowed limit'],
  [apps, { cursor: null }, 'cursor_invalid cursor', said('--cursor=null')],
  [apps, { cursor: 'forged' }, 'cursor_invalid cursor'],
  [apps, { cursor: 5 }, 'cursor_invalid cursor'],
  [apps, { cursor: true }, 'cursor_invalid cursor'],
  [apps, { cursor: { a: 1 } }, 'cursor_invalid cursor', mute],
  [apps, { cursor: ['a'] }, 'cursor_invalid cursor', mute],
  [apps, { cursor: '' }, 'empty_parameter cursor'],
  [apps, { name: 'x'.repeat(5_000) }, 'request_too_long'],
  [apps, { name: 'x'.repeat(9_000) }, 'request_too_long'],
]

const others: readonly Short[] = [
  [apps, { connectionId: 'other' }, 'unknown_parameter connectionId'],
  [apps, { connectionId: 'acme' }, 'unknown_parameter connectionId'],
  [feedback, { appId: app, connectionId: 'other' }, 'unknown_parameter connectionId'],
  [apps, { connection: 'other' }, 'unknown_parameter connection', mute],
  [apps, {}, 'connection_not_found', { connection: 'none' }],
  [apps, {}, 'connection_not_found', { connection: 'other/apps' }],
  [apps, {}, 'connection_not_found connection', { connection: '..' }],
  [apps, {}, 'empty_parameter connection', { connection: '' }],
  [apps, {}, 'value_not_allowed connection', { connection: null, words: null }],
  [apps, {}, 'value_not_allowed connection', { connection: ['acme'], words: null }],
  ['lisApps', {}, 'route_not_found operation'],
  ['constructor', {}, 'route_not_found operation'],
  ['__proto__', {}, 'route_not_found operation'],
  [7, {}, 'value_not_allowed operation', mute],
  [['listApps'], {}, 'value_not_allowed operation', mute],
  [apps, null, 'value_not_allowed params', mute],
  [apps, [], 'value_not_allowed params', mute],
  [apps, 'limit=1', 'value_not_allowed params', mute],
]

export const rows: readonly Row[] = [...taken, ...paths, ...queries, ...others].map(
  ([operation, params, expected, more]) => ({ operation, params, expected, ...more }),
)
