// Performance overviews: rich for three apps, the platform's "no data" shape for all others.
import type { JsonValue } from '../store.ts'
import { sampleApps } from './apps.ts'
import { hexDigest, pick, range, row, readTable } from './rows.ts'

const richIds = new Set(['6446998001', '6446998003', '6446998005'])
const versions = ['2.8', '2.9', '3.0']
const devices = [
  { device: 'iPhone17,1', deviceMarketingName: 'iPhone 16 Pro' },
  { device: 'iPhone15,2', deviceMarketingName: 'iPhone 14 Pro' },
  { device: 'iPad14,5', deviceMarketingName: 'iPad Pro (12.9-inch)' },
]

const insight = (category: string, metric: string, scale: number): JsonValue => ({
  metricCategory: category,
  latestVersion: '3.0',
  metric,
  summaryString: `${metric} rose in version 3.0 on some devices.`,
  referenceVersions: '2.8–2.9',
  maxLatestVersionValue: scale * 2.75,
  subSystemLabel: category === 'DISK' ? 'Chart cache' : null,
  highImpact: scale > 1,
  populations: devices.map(({ device }, index) => ({
    deltaPercentage: 12.5 + index,
    percentile: pick(['percentile.fifty', 'percentile.ninety'], index),
    summaryString: `${device}: up ${12.5 + index} %`,
    referenceAverageValue: scale * 1.5,
    latestVersionValue: scale * (1.5 + 0.25 * index),
    device,
  })),
})

// identifier | name | section | section name | unit | unit name
const sections = readTable(`hang|Hang Rate|hangRate|Hang Rate|secondsPerHour|seconds per hour
launch|Launch Time|timeToFirstFrame|Time to First Frame|milliseconds|ms
memory|Memory|peakMemory|Peak Memory|megabytes|MB
disk|Disk Writes|diskWrites|Disk Writes per Day|megabytes|MB
battery|Battery|onScreenBattery|On-Screen Battery|percent|%`)

const dataset = (sectionIndex: number, deviceIndex: number): JsonValue => ({
  filterCriteria: { percentile: 'percentile.ninety', ...pick(devices, deviceIndex) },
  points: versions.map((version, index) => ({
    version,
    value: 10 * (sectionIndex + 1) + deviceIndex + index / 4,
    errorMargin: index === 2 ? null : 0.5,
    percentageBreakdown: sectionIndex === 4 ? { value: 62.5, subSystemLabel: 'Display' } : null,
  })),
  recommendedMetricGoal: deviceIndex === 0 ? { value: 8 * (sectionIndex + 1), detail: 'Similar apps' } : null,
})

const categories: JsonValue = sections.map(
  ([identifier = '', displayName = '', section = '', sectionName = '', unit = '', unitName = ''], index) => ({
    identifier,
    displayName,
    sections: [
      {
        identifier: section,
        displayName: sectionName,
        relevanceScore: 0.9 - index / 10,
        sortOrder: index,
        unit: { identifier: unit, displayName: unitName },
        datasets: devices.map((_, device) => dataset(index, device)),
      },
    ],
  }),
)

const signatures = (name: string): JsonValue =>
  range(2).map((index) => ({
    signatureId: hexDigest(`${name} ${index}`).slice(0, 16),
    signature: `${pick(['-[ChartView drawTideCurve:]', 'HarbourStore.load(from:)'], index)} + ${48 * (index + 1)}`,
    count: 120 - index * 30,
    weight: 0.375,
    sourceFile: pick(['ChartView.m', null], index),
    lineNumber: index === 0 ? 214 : null,
    trendInfo: pick(['UP', 'DOWN', 'UNDEFINED'], index),
    metricsSummary: { referenceVersions: versions.map((version, at) => ({ version, value: 1.25 + at })) },
  }))

function overview(app: (typeof sampleApps)[number]): JsonValue {
  const isRich = richIds.has(app.id)
  const metadata = { bundleId: app.bundleId, appId: app.id, platform: 'iOS' }
  return {
    version: '4.0.0',
    appMetadata: isRich ? { ...metadata, latestVersion: '3.0' } : metadata,
    insights: {
      regressions: isRich ? [insight('HANG', 'hangRate', 2), insight('DISK', 'diskWrites', 40)] : [],
      trendingUp: isRich ? [insight('BATTERY', 'onScreenBattery', 1)] : [],
    },
    categories: isRich ? categories : [],
    signatures: {
      topHangPoint: isRich ? signatures('hang') : [],
      topLaunchPoint: isRich ? signatures('launch') : [],
      topDiskWritePoint: isRich ? signatures('disk') : [],
    },
    telemetryIdentifier: hexDigest(`telemetry ${app.id}`).slice(0, 32),
  }
}

export const rows = sampleApps.map((app) => row('performanceOverviews', app.id, { document: overview(app) }))
