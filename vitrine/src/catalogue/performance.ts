// The performance overview of an app: a document outside JSON:API, without an id.
import { any, flag, integer, known, list, number, one, record, resource, stamp, text } from './define.ts'

const insight = record({
  metricCategory: known(['HANG', 'LAUNCH', 'MEMORY', 'DISK', 'BATTERY', 'TERMINATION', 'ANIMATION', 'STORAGE']),
  latestVersion: text(),
  metric: text(),
  summaryString: text(),
  referenceVersions: text(),
  subSystemLabel: text(),
  maxLatestVersionValue: number(),
  highImpact: flag(),
  populations: list(
    record({
      deltaPercentage: number(),
      percentile: text(),
      summaryString: text(),
      referenceAverageValue: number(),
      latestVersionValue: number(),
      device: text(),
    }),
  ),
})

const dataset = record({
  filterCriteria: record({ percentile: text(), device: text(), deviceMarketingName: text() }),
  points: list(
    record({
      version: text(),
      value: number(),
      errorMargin: number(),
      percentageBreakdown: record({ value: number(), subSystemLabel: text() }),
    }),
  ),
  recommendedMetricGoal: record({ value: number(), detail: text() }),
})

const section = record({
  identifier: text(),
  displayName: text(),
  relevanceScore: number(),
  sortOrder: integer(),
  unit: record({ identifier: text(), displayName: text() }),
  datasets: list(dataset),
})

const signature = record({
  signatureId: text(),
  signature: text(),
  count: integer(),
  weight: number(),
  sourceFile: text(),
  lineNumber: integer(),
  trendInfo: known(['UP', 'DOWN', 'UNDEFINED']),
  metricsSummary: record({ referenceVersions: list(record({ version: text(), value: number() })) }),
})

const performanceOverview = resource({
  name: 'PerformanceOverview',
  type: 'xcodeOverview',
  attributes: {
    version: text('Version of the document format.'),
    appMetadata: record(
      { bundleId: text(), appId: text(), latestVersion: text(), platform: text() },
      'The app in the metrics; `latestVersion` is missing if there is no data.',
    ),
    insights: record(
      { regressions: list(insight), trendingUp: list(insight) },
      'Metrics that got worse, and rising ones.',
    ),
    categories: list(
      record({ identifier: text(), displayName: text(), sections: list(section) }),
      'Measurements by category, metric and device.',
    ),
    signatures: record(
      { topHangPoint: list(signature), topLaunchPoint: list(signature), topDiskWritePoint: list(signature) },
      'The most expensive places in the code.',
    ),
    telemetryIdentifier: text('Identifier of this report at the platform.'),
  },
})

export const getPerformanceOverview = one({
  path: '/apps/{appId}/performance-overviews',
  group: 'performance',
  summary: 'Read the performance overview of an app',
  about:
    'The platform gives this document no id, so `id` is the app id. An app without data is an overview with empty lists.',
  from: {
    read: '/v1/apps/{appId}/performanceOverviews',
    bare: {
      mediaType: 'application/vnd.apple.xcode-overview+json',
      id: 'appId',
      named: ['appMetadata', 'appId'],
    },
  },
  filters: {
    deviceType: any('Device types such as `all_iphones`. A comma separates and cannot be escaped.'),
  },
  returns: performanceOverview,
  whole: true,
  reviewed: stamp('4.5.1', '2026-11-20'),
  example: '/apps/6446998001/performance-overviews',
})
