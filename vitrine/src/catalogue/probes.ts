// One cheap read per group, with which `vitrine doctor` tests whether a signing key can read it. Groups without a probe are
// skipped.
import type { Group } from './define.ts'

export interface Probe {
  /** the platform's endpoint; `{appId}` is an app that the key can see */
  readonly read: string
  /** one row with its cheapest field */
  readonly query: Readonly<Record<string, string>>
  /** if it is not JSON:API */
  readonly mediaType?: string
}

export type Probes = Readonly<Partial<Record<Group, Probe>>>

export const probes: Probes = {
  // the first app that it lists is used by the other probes
  apps: { read: '/v1/apps', query: { 'fields[apps]': 'bundleId', limit: '1' } },
  builds: { read: '/v1/apps/{appId}/buildUploads', query: { 'fields[buildUploads]': 'cfBundleVersion', limit: '1' } },
  // a date, no personal data
  feedback: {
    read: '/v1/apps/{appId}/betaFeedbackScreenshotSubmissions',
    query: { 'fields[betaFeedbackScreenshotSubmissions]': 'createdDate', limit: '1' },
  },
  commerce: { read: '/v1/apps/{appId}/relationships/inAppPurchasesV2', query: { limit: '1' } },
  marketing: { read: '/v1/apps/{appId}/appEvents', query: { 'fields[appEvents]': 'badge', limit: '1' } },
  reviews: { read: '/v1/apps/{appId}/customerReviews', query: { 'fields[customerReviews]': 'rating', limit: '1' } },
  performance: {
    read: '/v1/apps/{appId}/performanceOverviews',
    query: { 'filter[deviceType]': 'all_iphones' },
    mediaType: 'application/vnd.apple.xcode-overview+json',
  },
  legacy: {
    read: '/v1/appEncryptionDeclarations',
    query: { 'fields[appEncryptionDeclarations]': 'platform', limit: '1' },
  },
}
