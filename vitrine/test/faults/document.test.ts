// Documents of a wrong form: 502 after one call, and nothing of them is passed on.
import assert from 'node:assert/strict'
import {
  bare,
  guard,
  id,
  ids,
  listing,
  answerRead,
  page,
  type ExampleRoute,
  exampleRoutes,
  single,
} from '../support/example-routes.ts'
import { send } from '../support/scripted-platform.ts'
import { type Broken, broken, data, first, lists, malformed, member, typed } from './document-rows.ts'
import { faults, type ScriptedFault } from './fault.ts'

const singles = [single, id]
const twice = member((one) => ({ ...one, id: 'x2' }))
const asked = (count: number) => data((one) => Array.from({ length: count }, (_, i) => ({ ...one, id: `x${i}` })))

const wholes: Broken[] = [
  {
    id: 'F68',
    fault: 'errors and no data',
    body: () => ({ errors: [{ code: 'NOT_FOUND', status: '404' }] }),
    at: exampleRoutes,
  },
  {
    id: 'F69',
    fault: 'data and errors',
    body: ({ healthy }) => ({ ...healthy, errors: [{ code: 'X' }] }),
    at: exampleRoutes,
  },
  { id: 'F70', fault: 'data null on a single resource', body: data(() => null), at: [single] },
  { id: 'F71', fault: 'data null where a list belongs', body: data(() => null), at: lists },
  { id: 'F72', fault: 'an object where a list belongs', body: data((one) => one), at: lists },
  { id: 'F72', fault: 'an object that looks like a list', body: data((one) => ({ 0: one, length: 1 })), at: lists },
  { id: 'F72', fault: 'a word for data', body: data(() => 'x'), at: typed },
  { id: 'F73', fault: 'a list of none where an object belongs', body: data(() => []), at: singles },
  { id: 'F73', fault: 'a list of one where an object belongs', body: data((one) => [one]), at: singles },
  { id: 'F73', fault: 'a list of two where an object belongs', body: data((one) => [one, one]), at: singles },
  { id: 'F74', fault: 'no data', body: () => ({ links: { self: 'x' }, meta: {} }), at: exampleRoutes },
  { id: 'F74', fault: 'an empty object', body: () => ({}), at: exampleRoutes },
  { id: 'F74', fault: 'data in __proto__ only', body: (_, text) => `{"__proto__":${text}}`, at: exampleRoutes },
  { id: 'F74', fault: 'a list without links', body: ({ healthy }) => ({ data: healthy['data'] }), at: lists },
  { id: 'F74', fault: 'a list whose links are none', body: ({ healthy }) => ({ ...healthy, links: 'x' }), at: lists },
]

const members: Broken[] = [
  ...[undefined, 5, '', {}, null, ['a1']].map((value) => ({
    id: 'F75',
    fault: `a member whose id is ${JSON.stringify(value)}`,
    at: typed,
    body: member((one) => ({ ...one, id: value })),
  })),
  {
    id: 'F75',
    fault: 'a member whose id is in __proto__',
    at: [page, single],
    body: member(({ type }) => JSON.parse(`{"type":"${type}","__proto__":{"id":"b1"}}`)),
  },
  ...[null, 'x', 7, [], [[]]].map((value) => ({
    id: 'F75',
    fault: `the member ${JSON.stringify(value)}`,
    at: lists,
    body: (place: ExampleRoute) => data((one) => [one, value])(place),
  })),
  { id: 'F76', fault: 'a member of another type', body: member((one) => ({ ...one, type: 'users' })), at: typed },
  { id: 'F76', fault: 'a member of no type', body: member(({ id }) => ({ id })), at: typed },
  {
    id: 'F77',
    fault: 'another id than the one that was asked for',
    body: data((one) => ({ ...one, id: 'b2' })),
    at: [single],
  },
  ...[5, 'x', true, []].map((attributes) => ({
    id: 'F78',
    fault: `attributes that are ${JSON.stringify(attributes)}`,
    at: [page, single, listing],
    body: member((one) => ({ ...one, attributes })),
  })),
  ...[5, 'x', []].map((relationships) => ({
    id: 'F82',
    fault: `relationships that are ${JSON.stringify(relationships)}`,
    at: [page, single],
    body: member((one) => ({ ...one, relationships })),
  })),
  ...[[], [{ type: 'apps', id: 'a' }], {}, { id: 5 }, { id: '' }, 'a1', 7].map((linkage) => ({
    id: 'F84',
    fault: `the linkage ${JSON.stringify(linkage)} where one identifier belongs`,
    at: [single],
    body: member((one) => ({ ...one, relationships: { app: { data: linkage } } })),
  })),
  ...[{ archived: 'false' }, { archived: 0 }, { usedBytes: '12' }, { usedBytes: 1.5 }, { assetPackIdentifier: 5 }].map(
    (attributes) => ({
      id: 'F79',
      fault: `an attribute of another JSON type, ${JSON.stringify(attributes)}`,
      at: [single],
      body: data((one) => ({ ...one, attributes })),
    }),
  ),
  {
    id: 'F79',
    fault: 'a list that holds another JSON type',
    at: [page],
    body: member((one) => ({ ...one, attributes: { customerEligibilities: ['NEW', 5] } })),
  },
  { id: 'F79', fault: 'a version that is a number', body: () => ({ version: 5 }), at: [bare] },
  { id: 'F79', fault: 'no locale to compare', body: data((one) => [{ ...one, attributes: {} }]), at: [listing] },
  {
    id: 'F79',
    fault: 'a number for a locale',
    body: data((one) => [{ ...one, attributes: { locale: 5 } }]),
    at: [listing],
  },
  {
    id: 'F87',
    fault: 'a member that names another parent',
    at: [page],
    body: member((one) => ({ ...one, relationships: { subscription: { data: { type: 'subscriptions', id: 's2' } } } })),
  },
  { id: 'F88', fault: 'two members where one was asked for', body: twice, at: [page, ids], query: '?limit=1' },
  { id: 'F88', fault: '51 members where nothing was asked', body: asked(51), at: [page, ids] },
  { id: 'F88', fault: '201 members', body: asked(201), at: [listing, guard] },
  ...['..', '.', 'a/../b', '\u0007', 'x'.repeat(5_000)].map((value) => ({
    id: 'F75',
    fault: `the localization ${JSON.stringify(value.slice(0, 9))}, which cannot be asked for`,
    at: [listing],
    body: data((one) => [{ ...one, id: value }]),
  })),
]

faults([...wholes, ...members].flatMap(broken))

const localization: ExampleRoute = {
  name: 'the localization that was looked up',
  path: '/legacy/subscriptions/s1/localizations/en-US',
  read: '/v1/subscriptionLocalizations/l1',
  healthy: { data: { type: 'subscriptionLocalizations', id: 'l1', attributes: { name: 'N' } }, links: {} },
  others: {
    '/v1/subscriptions/s1/subscriptionLocalizations': {
      ...listing.healthy,
      data: [{ ...first(listing), type: 'subscriptionLocalizations' }],
    },
  },
  answer: { id: 'l1', name: 'N' },
}
const [ratings = ''] = Object.keys(guard.others)

/** behind a successful lookup */
const behind: ScriptedFault[] = [
  {
    id: 'F77',
    fault: 'another id than the one that was looked up',
    at: localization,
    script: answerRead(localization, data((one) => ({ ...one, id: 'l2' }))(localization)),
    expect: { ...malformed, calls: 2 },
  },
  {
    id: 'F70',
    fault: 'data null for the localization that was looked up',
    at: localization,
    script: answerRead(localization, { data: null }),
    expect: { ...malformed, calls: 2 },
  },
  {
    id: 'F71',
    fault: 'data null for the list behind an ownership check',
    at: guard,
    script: (call, res) => send(res, call.path === ratings ? { data: null, links: {} } : guard.healthy),
    expect: { ...malformed, calls: 2 },
    more: (_, { platform }) => assert.equal('calls' in platform && platform.calls[1]?.path, ratings),
  },
  {
    id: 'F71',
    fault: 'an empty ownership list is an absence',
    at: guard,
    script: answerRead(guard, { data: [], links: {} }),
    expect: { status: 404, type: 'resource_not_found', code: 'resource_not_found', calls: 1, retryAfter: null },
  },
]

faults(behind)
