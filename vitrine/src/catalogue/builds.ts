// Builds of an app, and the ids of their bundles.
import { any, dateTime, exists, flag, ids, integer, known, listed, page, picture } from './define.ts'
import { resource, stamp, text, to } from './define.ts'
import { platforms } from './parameters.ts'
import { ofApp } from './versions.ts'

const audiences = ['INTERNAL_ONLY', 'APP_STORE_ELIGIBLE']
const processing = ['PROCESSING', 'FAILED', 'INVALID', 'VALID']

const build = resource({
  name: 'Build',
  type: 'builds',
  attributes: {
    version: text('Build number.'),
    uploadedDate: dateTime('When it was uploaded.'),
    expirationDate: dateTime('When testers can no longer install it.'),
    expired: flag('Whether that is so already.'),
    minOsVersion: text('Lowest version of the operating system.'),
    lsMinimumSystemVersion: text('Lowest version of macOS, as the build says.'),
    computedMinMacOsVersion: text('Lowest version of macOS, as the platform computes it.'),
    computedMinVisionOsVersion: text('Lowest version of visionOS, as the platform computes it.'),
    iconAssetToken: picture({ templateUrl: text(), width: integer(), height: integer() }, 'Icon of the build.'),
    processingState: known(processing, 'State of its processing.'),
    buildAudienceType: known(audiences, 'Who it may be given to.'),
    usesNonExemptEncryption: flag('Whether it uses encryption that must be declared.'),
  },
  links: {
    preReleaseVersionId: to('preReleaseVersion', 'preReleaseVersions', 'platform', 'Pre-release version.'),
    appEncryptionDeclarationId: to(
      'appEncryptionDeclaration',
      'appEncryptionDeclarations',
      'exempt',
      'Declaration of its encryption.',
    ),
    betaAppReviewSubmissionId: to(
      'betaAppReviewSubmission',
      'betaAppReviewSubmissions',
      'betaReviewState',
      'Its review for testers outside the team.',
    ),
    appId: to('app', 'apps', 'sku', 'App it belongs to.'),
    buildBetaDetailId: to('buildBetaDetail', 'buildBetaDetails', 'autoNotifyEnabled', 'Its state for testers.'),
    appStoreVersionId: to('appStoreVersion', 'appStoreVersions', 'platform', 'Version it is for.'),
    buildUploadId: to('buildUpload', 'buildUploads', 'platform', 'Upload it came with.'),
  },
})

const reviews = ['WAITING_FOR_REVIEW', 'IN_REVIEW', 'REJECTED', 'APPROVED']

const buildFilters = {
  version: any('Only with these build numbers.'),
  expired: any('Whether it has expired: `true` or `false`.'),
  processingState: listed(processing, 'Only in these states of processing.'),
  betaReviewState: listed(reviews, 'Only with a review in these states.', 'betaAppReviewSubmission.betaReviewState'),
  usesNonExemptEncryption: any('Whether it uses such encryption: `true` or `false`.'),
  hasEncryptionAnswer: exists('Whether that question is answered.', 'usesNonExemptEncryption'),
  'preReleaseVersion.version': any('Only with these version numbers before release.'),
  'preReleaseVersion.platform': listed(platforms, 'Only for these platforms.'),
  buildAudienceType: listed(audiences, 'Only for these audiences.'),
  preReleaseVersion: any('Only of these pre-release versions, by id.'),
  betaGroups: any('Only of these groups of testers, by id.'),
  appStoreVersion: any('Only of these versions, by id.'),
  id: any('Only these builds, by id.'),
}

export const listBuilds = page({
  path: '/apps/{appId}/builds',
  group: 'builds',
  summary: 'List the builds of an app',
  from: { owner: ofApp, read: '/v1/builds', parent: { appId: 'appId' } },
  filters: buildFilters,
  sort: ['version', 'uploadedDate', 'preReleaseVersion'],
  returns: build,
  reviewed: stamp('4.4.1', '2026-11-22', '5b9e69d90d30d79a'),
  example: '/apps/6446998001/builds?limit=2&sort=-uploadedDate&expired=false',
})

export const listBuildBundleIds = ids({
  path: '/builds/{buildId}/build-bundles/ids',
  group: 'builds',
  summary: 'List the ids of the bundles of a build',
  about: 'At most 50: the platform has no list of them. A build with more is refused, not cut short.',
  from: {
    read: '/v1/builds/{buildId}',
    relation: { name: 'buildBundles', of: 'builds', cheapest: 'bundleType', most: 50 },
  },
  type: 'buildBundles',
  reviewed: stamp('4.4.1', '2026-11-22', 'd59932ef947cc794'),
  example: '/builds/79baa388-43ff-46d2-98dd-e5ec90dfc538/build-bundles/ids',
})
