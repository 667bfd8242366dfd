// Versions of an app with their state, what was submitted for review, and the app infos.
import { any, dateTime, flag, known, listed, page, personal, resource, stamp, text, to, wordsOf } from './define.ts'
import { platforms, submissionStates, versionStates } from './parameters.ts'

const version = resource({
  name: 'AppVersion',
  type: 'appStoreVersions',
  attributes: {
    platform: known(platforms, 'Platform.'),
    versionString: text('Version number that customers see.'),
    appVersionState: known(versionStates, 'State of the version.'),
    copyright: text('Copyright line.'),
    reviewType: known(['APP_STORE', 'NOTARIZATION'], 'What it is reviewed for.'),
    releaseType: known(['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'], 'How it is released.'),
    earliestReleaseDate: dateTime('When a scheduled release may begin.'),
    downloadable: flag('Whether customers can download it.'),
    createdDate: dateTime('When it was created.'),
  },
  links: {
    appId: to('app', 'apps', 'sku', 'App it belongs to.'),
    buildId: to('build', 'builds', 'expired', 'Build of the version.'),
    appStoreVersionPhasedReleaseId: to(
      'appStoreVersionPhasedRelease',
      'appStoreVersionPhasedReleases',
      'currentDayNumber',
      'Its release in phases.',
    ),
    gameCenterAppVersionId: to('gameCenterAppVersion', 'gameCenterAppVersions', 'enabled', 'Its Game Center version.'),
    routingAppCoverageId: to('routingAppCoverage', 'routingAppCoverages', 'fileSize', 'Area of a routing app.'),
    appStoreReviewDetailId: to(
      'appStoreReviewDetail',
      'appStoreReviewDetails',
      'demoAccountRequired',
      'Details for its review.',
    ),
    appStoreVersionSubmissionId: to(
      'appStoreVersionSubmission',
      'appStoreVersionSubmissions',
      'appStoreVersion',
      'Its submission, in the older form.',
    ),
    appClipDefaultExperienceId: to(
      'appClipDefaultExperience',
      'appClipDefaultExperiences',
      'action',
      'App Clip experience released with it.',
    ),
    alternativeDistributionPackageId: to(
      'alternativeDistributionPackage',
      'alternativeDistributionPackages',
      'versions',
      'Package for other marketplaces.',
    ),
  },
})

export const listAppVersions = page({
  path: '/apps/{appId}/versions',
  group: 'apps',
  summary: 'List the versions of an app with their state',
  about: 'The platform documents no order.',
  from: { read: '/v1/apps/{appId}/appStoreVersions', parent: { appId: 'appId' } },
  filters: {
    platform: listed(platforms, 'Only for these platforms.'),
    versionString: any('Only these version numbers.'),
    state: listed(versionStates, 'Only in these states.', 'appVersionState'),
    id: any('Only these versions, by id.'),
  },
  returns: version,
  reviewed: stamp('4.4.1', '2026-11-22', '7b6d8fd71bda4eb8'),
  example: '/apps/6446998001/versions?state=IN_REVIEW,READY_FOR_DISTRIBUTION,ACCEPTED&limit=2',
})

const reviewSubmission = resource({
  name: 'ReviewSubmission',
  type: 'reviewSubmissions',
  attributes: {
    platform: known(platforms, 'Platform.'),
    submittedDate: dateTime('When it was submitted.'),
    state: known(submissionStates, 'State of the review.'),
  },
  links: {
    appId: to('app', 'apps', 'sku', 'App it belongs to.'),
    appStoreVersionForReviewId: to('appStoreVersionForReview', 'appStoreVersions', 'platform', 'Version in review.'),
    submittedByActorId: personal(to('submittedByActor', 'actors', 'actorType', 'Who submitted it.')),
    lastUpdatedByActorId: personal(to('lastUpdatedByActor', 'actors', 'actorType', 'Who last changed it.')),
  },
})

/** of a list for all apps */
export const ofApp = { filter: 'app', id: 'appId', read: '/v1/apps/{appId}', type: 'apps', cheapest: 'sku' }

export const listReviewSubmissions = page({
  path: '/apps/{appId}/review-submissions',
  group: 'apps',
  summary: 'List what was submitted for review of an app',
  from: { owner: ofApp, read: '/v1/reviewSubmissions', parent: { appId: 'appId' } },
  filters: {
    platform: listed(platforms, 'Only for these platforms.'),
    state: listed(submissionStates, 'Only in these states.'),
  },
  asks: ['appStoreVersionForReviewId'],
  returns: reviewSubmission,
  reviewed: stamp('4.4.1', '2026-11-22', '6c0e12590d10e8a9'),
  example: '/apps/6446998001/review-submissions?platform=IOS',
})

const infoStates =
  wordsOf(`ACCEPTED DEVELOPER_REJECTED IN_REVIEW PENDING_RELEASE PREPARE_FOR_SUBMISSION READY_FOR_DISTRIBUTION
  READY_FOR_REVIEW REJECTED REPLACED_WITH_NEW_INFO WAITING_FOR_REVIEW`)

const toCategory = (relation: string, about: string) => to(relation, 'appCategories', 'platforms', about)

const appInfo = resource({
  name: 'AppInfo',
  type: 'appInfos',
  attributes: {
    state: known(infoStates, 'State: one info is on sale, the next one is being prepared.'),
  },
  links: {
    appId: to('app', 'apps', 'sku', 'App it belongs to.'),
    ageRatingDeclarationId: to('ageRatingDeclaration', 'ageRatingDeclarations', 'gambling', 'Answers it is rated by.'),
    primaryCategoryId: toCategory('primaryCategory', 'First category.'),
    primarySubcategoryOneId: toCategory('primarySubcategoryOne', 'Its first subcategory.'),
    primarySubcategoryTwoId: toCategory('primarySubcategoryTwo', 'Its second subcategory.'),
    secondaryCategoryId: toCategory('secondaryCategory', 'Second category.'),
    secondarySubcategoryOneId: toCategory('secondarySubcategoryOne', 'Its first subcategory.'),
    secondarySubcategoryTwoId: toCategory('secondarySubcategoryTwo', 'Its second subcategory.'),
  },
})

export const listAppInfos = page({
  path: '/apps/{appId}/app-infos',
  group: 'apps',
  summary: 'List the app infos of an app',
  from: { read: '/v1/apps/{appId}/appInfos', parent: { appId: 'appId' } },
  returns: appInfo,
  reviewed: stamp('4.4.1', '2026-11-22', '7e21d8f9ce68a8e9'),
  example: '/apps/6446998001/app-infos',
})
