import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { connectionPath, pageSize, queryParameters } from '../../src/catalogue/parameters.ts'
import { contractRows, rows } from './contract-rows.ts'
import { wayInListed } from './way-in-rows.ts'

test('the first 29 routes are those of the contract, in its order, and the others are marked as beyond it', () => {
  assert.equal(contractRows.length, 29)
  for (const { number, isBeyond } of routes) assert.equal(isBeyond, number > 29 ? true : undefined)
})

test('the catalogue has exactly the routes of the tables, in their order', () => {
  assert.deepEqual(
    routes.map(({ operation, path }) => ({ operation, path })),
    rows.map(({ operation, path }) => ({ operation, path })),
  )
  assert.equal(routes.length, rows.length)
})

test('every route is below its connection, and pages hold 50 items by default and 200 at most', () => {
  assert.equal(connectionPath, '/v1/connections/{connectionId}')
  assert.deepEqual(pageSize, { standard: 50, most: 200 })
})

for (const [i, row] of rows.entries())
  test(`route ${i + 1} ${row.path} is as in the contract`, () => {
    const route = routes[i]
    assert.ok(route)
    const parameters = queryParameters(route)
    const paged = row.shape === 'page' || row.shape === 'ids'
    assert.equal(route.number, i + 1)
    assert.equal(route.shape, row.shape)
    assert.equal(route.group, row.group)
    assert.equal(route.from.read, row.endpoint)
    assert.equal(route.reviewed.version, row.version)
    assert.deepEqual(
      parameters.map(({ name }) => name).sort(),
      [
        ...row.filters,
        ...(row.sort.length > 0 ? ['sort'] : []),
        ...(row.fields.length > 0 ? ['fields'] : []),
        ...(paged ? ['limit', 'cursor'] : []),
      ].sort(),
    )
    assert.deepEqual(parameters.find(({ name }) => name === 'fields')?.values ?? [], row.fields)
    assert.deepEqual(
      parameters.find(({ name }) => name === 'sort')?.values ?? [],
      row.sort.flatMap((key) => [key, `-${key}`]),
    )
    const { attributes = {}, links = {}, fromPath = [] } = route.returns ?? {}
    assert.deepEqual(
      [...Object.keys(attributes), ...fromPath, ...Object.keys(links)].sort(),
      [...row.fields, ...row.others].sort(),
    )
  })

const listedValues: readonly [operation: string, parameter: string, values: string][] = [
  ['listApps', 'versionPlatform', 'IOS MAC_OS TV_OS VISION_OS'],
  ['listApps', 'reviewPlatform', 'IOS MAC_OS TV_OS VISION_OS'],
  [
    'listApps',
    'versionState',
    'ACCEPTED DEVELOPER_REJECTED IN_REVIEW INVALID_BINARY METADATA_REJECTED PENDING_APPLE_RELEASE PENDING_DEVELOPER_RELEASE PREPARE_FOR_SUBMISSION PROCESSING_FOR_DISTRIBUTION READY_FOR_DISTRIBUTION READY_FOR_REVIEW REJECTED REPLACED_WITH_NEW_VERSION WAITING_FOR_EXPORT_COMPLIANCE WAITING_FOR_REVIEW',
  ],
  [
    'listApps',
    'reviewState',
    'READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW UNRESOLVED_ISSUES CANCELING COMPLETING COMPLETE',
  ],
  ['listBetaFeedbackSubmissions', 'appPlatform', 'IOS MAC_OS TV_OS VISION_OS'],
  ['listBetaFeedbackSubmissions', 'devicePlatform', 'IOS MAC_OS TV_OS VISION_OS'],
  ...wayInListed,
  ...(['listProductPagePlacements', 'listLibraryVideoPlacements'] as const).flatMap((operation) => [
    [
      operation,
      'placementType',
      'APP_SCREENSHOT IMESSAGE_APP_SCREENSHOT APP_PREVIEW PRODUCT_PAGE_HEADER_ASSET APP_STORE_SEARCH_RESULTS_ASSET SEARCH_RESULTS_ADS_ASSET TODAY_TAB_ADS_ASSET EVENT_CARD_ASSET EVENT_DETAILS_PAGE_ASSET RETENTION_MESSAGE_ASSET',
    ] as [string, string, string],
    [
      operation,
      'state',
      'ASSET_PROCESSING FAILED PARENT_PREPARE_FOR_SUBMISSION PARENT_READY_FOR_REVIEW PARENT_WAITING_FOR_REVIEW PARENT_IN_REVIEW PARENT_APPROVED',
    ] as [string, string, string],
  ]),
]

test('the filters with known values are those of the contract, with its values', () => {
  const ours = routes.flatMap((route) =>
    queryParameters(route)
      .filter(({ kind, values }) => kind === 'filter' && values)
      .map(({ name, values = [] }) => [route.operation, name, values.join(' ')]),
  )
  const inOrder = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join(' ')).sort()
  assert.deepEqual(inOrder(ours), inOrder(listedValues))
})
