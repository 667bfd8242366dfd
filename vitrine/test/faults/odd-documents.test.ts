// Unusual but valid documents: the answers and the log lines.
import assert from 'node:assert/strict'
import { id, type Json, answerRead, page, type ExampleRoute, single } from '../support/example-routes.ts'
import { asset, broken, data, member, through } from './document-rows.ts'
import { faults, type Scene, type ScriptedFault } from './fault.ts'

const fine = (calls: number, json: unknown) => ({ expect: { status: 200, json, calls } })
const told = ({ service }: Scene, kind: string) => service.events.filter((event) => event.kind === kind)
const offer = (attributes: Json, more: Json = {}) => ({
  data: [{ type: 'subscriptionOfferCodes', id: 'o1', attributes, ...more }],
  links: {},
})
const related = (relationships: Json): string => `,"relationships":${JSON.stringify(relationships)}`

/** a related read whose target may be absent */
const status: ExampleRoute = {
  ...single,
  name: 'a related read',
  path: '/build-bundles/b1/app-clip-domain-debug-status',
  read: '/v1/buildBundles/b1/appClipDomainDebugStatus',
  healthy: { data: { type: 'appClipDomainStatuses', id: 'd1', attributes: {} } },
  answer: { id: 'd1' },
}

const bareResource = (rest: string) => `{"data":{"type":"backgroundAssets","id":"b1"${rest}}}`

const rows: ScriptedFault[] = [
  {
    id: 'F70',
    fault: 'data null on the id route is the id null',
    at: id,
    script: answerRead(id, { data: null, links: {} }),
    ...fine(1, { id: null }),
  },
  {
    id: 'F70',
    fault: 'data null where the platform may say that nothing is related',
    at: status,
    script: answerRead(status, { data: null, links: {} }),
    expect: { status: 404, type: 'resource_not_found', code: 'resource_not_found', calls: 1, retryAfter: null },
  },
  ...['', ',"attributes":null', ',"attributes":{}'].map((rest) =>
    through('F78', `a resource with ${rest || 'no attributes'}`, bareResource(rest), '{"id":"b1"}'),
  ),
  {
    id: 'F78',
    fault: 'members of a page without attributes',
    script: answerRead(page, { data: [{ type: 'subscriptionOfferCodes', id: 'o1' }], links: {} }),
    ...fine(1, { items: [{ id: 'o1' }], nextCursor: null }),
  },
  through('F79', 'attributes that are null', asset('{"archived":null,"usedBytes":null}'), {
    id: 'b1',
    archived: null,
    usedBytes: null,
  }),
  {
    id: 'F80',
    fault: 'an unknown enumerated value',
    script: answerRead(page, offer({ offerMode: 'PAY_WITH_SHELLS' })),
    ...fine(1, { items: [{ id: 'o1', offerMode: 'PAY_WITH_SHELLS' }], nextCursor: null }),
  },
  {
    id: 'F81',
    fault: 'an unknown attribute',
    script: answerRead(page, offer({ name: 'N', internalNote: 'PLATFORM' })),
    ...fine(1, { items: [{ id: 'o1', name: 'N' }], nextCursor: null }),
    more: (_, scene) =>
      assert.deepEqual(told(scene, 'drift'), [
        { kind: 'drift', connection: 'acme', type: 'subscriptionOfferCodes', members: ['internalNote'] },
      ]),
  },
  ...['', ',"relationships":null', ',"relationships":{}', ',"relationships":{"app":{}}'].map((rest) =>
    through('F82', `a resource with ${rest || 'no relationships'}`, asset('{}', rest), '{"id":"b1"}'),
  ),
  through('F83', 'a linkage that is null', asset('{}', related({ app: { data: null } })), '{"id":"b1","appId":null}'),
  through(
    'F85',
    'a linkage of links alone',
    asset('{}', related({ app: { links: { related: 'https://platform/v1/x' } } })),
    '{"id":"b1"}',
  ),
  {
    id: 'F86',
    fault: 'the same id twice in a page',
    script: answerRead(page, data((one) => [one, { ...one, attributes: { name: 'another' } }])(page)),
    ...fine(1, page.answer),
    more: (_, scene) =>
      assert.deepEqual(told(scene, 'duplicate'), [{ kind: 'duplicate', type: 'subscriptionOfferCodes', count: 1 }]),
  },
  {
    id: 'F87',
    fault: 'a member that names the asked parent, and one that names none',
    script: answerRead(
      page,
      member((one) => ({ ...one, relationships: { subscription: { data: { type: 'subscriptions', id: 's1' } } } }))(
        page,
      ),
    ),
    ...fine(1, {
      items: [...page.answer['items'], { ...page.answer['items'][0], id: 'x2', subscriptionId: 's1' }],
      nextCursor: null,
    }),
  },
  // a selection does not return the linkage, and is still applied
  ...broken({
    id: 'F87',
    fault: 'a member that names another parent, with a selection of fields',
    query: '?fields=name,active',
    at: [page],
    body: member((one) => ({ ...one, relationships: { subscription: { data: { type: 'subscriptions', id: 's2' } } } })),
  }),
]

faults(rows)
