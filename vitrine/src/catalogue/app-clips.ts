// App Clips: their default experiences with localizations, and the debug status of the associated domains.
import {
  any,
  dateTime,
  exists,
  flag,
  known,
  list,
  one,
  page,
  record,
  resource,
  stamp,
  text,
  to,
  wordsOf,
} from './define.ts'

const experienceLocalization = resource({
  name: 'AppClipExperienceLocalization',
  type: 'appClipDefaultExperienceLocalizations',
  attributes: {
    locale: text('Locale.'),
    subtitle: text('Subtitle on the App Clip card.'),
  },
  links: {
    experienceId: to(
      'appClipDefaultExperience',
      'appClipDefaultExperiences',
      'action',
      'Default experience it belongs to.',
    ),
    appClipHeaderImageId: to('appClipHeaderImage', 'appClipHeaderImages', 'fileSize', 'Picture on the card.'),
  },
})

export const listAppClipExperienceLocalizations = page({
  path: '/app-clip-default-experiences/{experienceId}/localizations',
  group: 'marketing',
  summary: 'List the localizations of a default App Clip experience',
  from: {
    read: '/v1/appClipDefaultExperiences/{experienceId}/appClipDefaultExperienceLocalizations',
    parent: { experienceId: 'experienceId' },
  },
  filters: { locale: any('Only these locales, by exact identifier.') },
  returns: experienceLocalization,
  reviewed: stamp('4.4.1', '2026-11-21', '33abc097d46694b2'),
  example: '/app-clip-default-experiences/e6f0a3b8-1d25-4c97-8f60-0a0000000011/localizations?locale=en-US,ja',
})

const domainErrors =
  wordsOf(`BAD_HTTP_RESPONSE BAD_JSON_CONTENT BAD_PKCS7_SIGNATURE CANNOT_REACH_AASA_FILE CROSS_SITE_REDIRECTS_FORBIDDEN
  DNS_ERROR INSECURE_REDIRECTS_FORBIDDEN INVALID_ENTITLEMENT_MISSING_SECTION INVALID_ENTITLEMENT_SYNTAX_ERROR
  INVALID_ENTITLEMENT_UNHANDLED_SECTION INVALID_ENTITLEMENT_UNKNOWN_ID NETWORK_ERROR NETWORK_ERROR_TEMPORARY
  OTHER_ERROR TIMEOUT TLS_ERROR TOO_MANY_REDIRECTS UNEXPECTED_ERROR`)

const domainStatus = resource({
  name: 'AppClipDomainStatus',
  type: 'appClipDomainStatuses',
  attributes: {
    domains: list(
      record({ domain: text(), isValid: flag(), lastUpdatedDate: dateTime(), errorCode: known(domainErrors) }),
      'What the platform found at each domain.',
    ),
    lastUpdatedDate: dateTime('When the platform last checked.'),
  },
})

export const getAppClipDomainDebugStatus = one({
  path: '/build-bundles/{buildBundleId}/app-clip-domain-debug-status',
  group: 'builds',
  summary: 'Read the App Clip domain status of a build bundle, for debugging',
  from: { read: '/v1/buildBundles/{buildBundleId}/appClipDomainDebugStatus', mayBeAbsent: true },
  returns: domainStatus,
  whole: true,
  reviewed: stamp('4.4.1', '2026-11-21', '59f9075dbd0eb8b4'),
  example: '/build-bundles/2e9c7b5a-4f38-4d06-a1e2-0b0000000027/app-clip-domain-debug-status',
})

export const listAppClips = page({
  path: '/apps/{appId}/app-clips',
  group: 'marketing',
  summary: 'List the App Clips of an app',
  from: { read: '/v1/apps/{appId}/appClips', parent: { appId: 'appId' } },
  filters: { bundleId: any('Only with these bundle identifiers.') },
  returns: resource({
    name: 'AppClip',
    type: 'appClips',
    attributes: { bundleId: text('Bundle identifier.') },
    links: { appId: to('app', 'apps', 'sku', 'App it belongs to.') },
  }),
  reviewed: stamp('4.4.1', '2026-11-22', '4a720e9389522520'),
  example: '/apps/6446998001/app-clips',
})

const clipExperience = resource({
  name: 'AppClipExperience',
  type: 'appClipDefaultExperiences',
  attributes: { action: known(['OPEN', 'VIEW', 'PLAY'], 'What the button on the card says.') },
  links: {
    appClipId: to('appClip', 'appClips', 'bundleId', 'App Clip it belongs to.'),
    releaseWithAppStoreVersionId: to(
      'releaseWithAppStoreVersion',
      'appStoreVersions',
      'platform',
      'Version that it is released with.',
    ),
    appClipAppStoreReviewDetailId: to(
      'appClipAppStoreReviewDetail',
      'appClipAppStoreReviewDetails',
      'appClipDefaultExperience',
      'Details for its review.',
    ),
  },
})

export const listAppClipExperiences = page({
  path: '/app-clips/{appClipId}/default-experiences',
  group: 'marketing',
  summary: 'List the default experiences of an App Clip',
  from: { read: '/v1/appClips/{appClipId}/appClipDefaultExperiences', parent: { appClipId: 'appClipId' } },
  filters: { hasRelease: exists('Whether it is released with a version.', 'releaseWithAppStoreVersion') },
  returns: clipExperience,
  reviewed: stamp('4.4.1', '2026-11-22', '6b5d394c236b4073'),
  example: '/app-clips/67905ad3-cc2d-452b-9f5f-6a6d2814de03/default-experiences',
})
