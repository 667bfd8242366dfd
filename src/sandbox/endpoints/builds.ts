// Reads of builds, their uploads and what testers send back.
import { endpoint } from './endpoint.ts'
import { platforms } from './values.ts'

export const buildEndpoints = [
  endpoint('collection', '/v1/apps/{id}/betaFeedbackScreenshotSubmissions', {
    filters: {
      deviceModel: null,
      osVersion: null,
      appPlatform: platforms,
      devicePlatform: platforms,
      build: null,
      'build.preReleaseVersion': null,
      tester: null,
    },
    sort: 'createdDate',
    fields: 'betaFeedbackScreenshotSubmissions builds betaTesters',
    include: 'build tester',
  }),
  endpoint('collection', '/v1/apps/{id}/buildUploads', {
    filters: { cfBundleShortVersionString: null, cfBundleVersion: null, platform: platforms },
    sort: 'cfBundleVersion uploadedDate',
    fields: 'buildUploads builds buildUploadFiles',
    include: 'build assetFile assetDescriptionFile assetSpiFile',
  }),
  endpoint('single', '/v1/buildUploadFiles/{id}', { fields: 'buildUploadFiles' }),
  endpoint('linkages', '/v1/buildUploads/{id}/relationships/buildUploadFiles'),
  endpoint('single', '/v1/buildBundles/{id}/appClipDomainDebugStatus', { fields: 'appClipDomainStatuses' }),
]
