import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { readDocument } from '../../src/review/document.ts'
import { reviewRoutes } from '../../src/review/review.ts'

const file = process.env['VENDOR_OPENAPI']
const isThere = file !== undefined && file !== ''
if (!isThere)
  process.stderr.write(
    "\n!! The vendor's own document is not reviewed: VENDOR_OPENAPI names no file. Download version 4.4.1 and name it.\n\n",
  )

test(
  "in the vendor's document 4.4.1 routes 2, 7, 8 and 18 are absent, and the others have no findings",
  { skip: !isThere && 'VENDOR_OPENAPI names no file' },
  () => {
    const { document, routes: found, totals } = reviewRoutes(routes, readDocument(readFileSync(file ?? '')))
    assert.deepEqual(document, { version: '4.4.1', openapi: '3.0.1', paths: 966 })
    assert.deepEqual(totals, { break: 0, change: 0, addition: 0, absent: 4, note: 0 })
    assert.deepEqual(
      found.flatMap(({ findings }) => findings.map((one) => [one.number, one.class, one.severity])),
      [2, 7, 8, 18].map((number) => [number, 'endpoint-absent', 'absent']),
    )
    assert.deepEqual(
      found.filter(({ state: standing }) => standing !== 'unchanged').map(({ route }) => route.number),
      [2, 7, 8, 18],
    )
  },
)
