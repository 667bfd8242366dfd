// One cheap read for each group of routes, by which `vitrine doctor` finds out whether a signing key may read it. Data, as
// the routes are: a group without a line here is told of as one that cannot be tried.
import type { Group } from './define.ts'

export interface Probe {
  /** the platform's endpoint; `{appId}` is an app that the key can see */
  readonly read: string
  /** one row of it, with the least that can be asked for */
  readonly query: Readonly<Record<string, string>>
  /** where it is not JSON:API */
  readonly mediaType?: string
}

export type Probes = Readonly<Partial<Record<Group, Probe>>>

export const probes: Probes = {
  // the first: what it lists names the app of the others
  apps: { read: '/v1/apps', query: { 'fields[apps]': 'bundleId', limit: '1' } },
  builds: { read: '/v1/apps/{appId}/buildUploads', query: { 'fields[buildUploads]': 'cfBundleVersion', limit: '1' } },
  // a date, and nothing that a tester wrote
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
