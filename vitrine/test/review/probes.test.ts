import assert from 'node:assert/strict'
import test from 'node:test'
import type { Route } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { probes } from '../../src/catalogue/probes.ts'
import { readDocument } from '../../src/review/document.ts'
import { reviewRoutes } from '../../src/review/review.ts'
import { bytesOf, vendorDocument } from '../support/vendor-document.ts'

/** without the routes that read the same as the doctor */
const contract = routes.slice(0, 29)

const reviewedOf = ({ operation }: Route): string => (operation === 'getEvent' ? '4.4.1' : '4.5.1')

test('a probe has the oldest review version of its group, and is not drift in an older document', () => {
  const told = (version: string, path: string) => {
    const doc = vendorDocument(version)
    delete doc['paths'][path]
    const of = contract.map((route) => ({ ...route, reviewed: { version: reviewedOf(route), date: '2026-11-20' } }))
    return reviewRoutes(of, readDocument(bytesOf(doc)), probes).probes.map((one) => [
      one.class,
      one.severity,
      one.group,
    ])
  }
  assert.deepEqual(told('4.4.1', '/v1/apps/{id}/appEvents'), [['endpoint-absent', 'break', 'marketing']])
  assert.deepEqual(told('4.4', '/v1/apps/{id}/appEvents'), [['endpoint-absent', 'absent', 'marketing']])
  assert.deepEqual(told('4.5', '/v1/apps/{id}/customerReviews'), [['endpoint-absent', 'absent', 'reviews']])
  // already reported for the route with the same read
  assert.deepEqual(told('4.5.1', '/v1/apps/{id}/performanceOverviews'), [])
})
