// Custom product pages: how their localizations are found, and their screenshot sets.
import { ids, stamp } from './define.ts'

export const pageLocalization = {
  locale: '/v1/appCustomProductPageVersions/{pageVersionId}/appCustomProductPageLocalizations',
  type: 'appCustomProductPageLocalizations',
}

export const listProductPageScreenshotSetIds = ids({
  path: '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/screenshot-sets/ids',
  group: 'marketing',
  summary: 'List the ids of the screenshot sets of a custom product page in one locale',
  from: {
    resolve: pageLocalization,
    read: '/v1/appCustomProductPageLocalizations/{localizationId}/relationships/appScreenshotSets',
  },
  type: 'appScreenshotSets',
  reviewed: stamp('4.4.1', '2026-11-21', 'f539b687b2566a87'),
  example: '/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations/ja/screenshot-sets/ids',
})
