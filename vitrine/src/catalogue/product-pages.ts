// Custom product pages, their versions and localizations: how these are found, and their screenshot sets.
import { any, flag, ids, known, listed, page, resource, stamp, text, to, uri, wordsOf } from './define.ts'

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

const productPage = resource({
  name: 'ProductPage',
  type: 'appCustomProductPages',
  attributes: {
    name: text('Name inside the team.'),
    url: uri('Address of the page.'),
    visible: flag('Whether customers can see it.'),
  },
  links: { appId: to('app', 'apps', 'sku', 'App it belongs to.') },
})

export const listProductPages = page({
  path: '/apps/{appId}/custom-product-pages',
  group: 'marketing',
  summary: 'List the custom product pages of an app',
  from: { read: '/v1/apps/{appId}/appCustomProductPages', parent: { appId: 'appId' } },
  filters: { visible: any('Whether customers can see it: `true` or `false`.') },
  returns: productPage,
  reviewed: stamp('4.4.1', '2026-11-22', '04876e7f0e93f42e'),
  example: '/apps/6446998001/custom-product-pages?visible=true',
})

const pageStates = wordsOf(
  `PREPARE_FOR_SUBMISSION READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW ACCEPTED APPROVED REPLACED_WITH_NEW_VERSION REJECTED`,
)

const pageVersion = resource({
  name: 'ProductPageVersion',
  type: 'appCustomProductPageVersions',
  attributes: {
    version: text('Number of the version.'),
    state: known(pageStates, 'State of the version.'),
    deepLink: uri('Link into the app.'),
  },
  links: {
    appCustomProductPageId: to('appCustomProductPage', 'appCustomProductPages', 'visible', 'Page it belongs to.'),
  },
})

export const listProductPageVersions = page({
  path: '/custom-product-pages/{pageId}/versions',
  group: 'marketing',
  summary: 'List the versions of a custom product page',
  from: {
    read: '/v1/appCustomProductPages/{pageId}/appCustomProductPageVersions',
    parent: { appCustomProductPageId: 'pageId' },
  },
  filters: { state: listed(pageStates, 'Only in these states.') },
  returns: pageVersion,
  reviewed: stamp('4.4.1', '2026-11-22', '2dcaf8130c1e7a21'),
  example: '/custom-product-pages/61f6d616-833f-4754-960e-f8ad64377de5/versions',
})

const productPageLocalization = resource({
  name: 'ProductPageLocalization',
  type: 'appCustomProductPageLocalizations',
  attributes: { locale: text('Locale.'), promotionalText: text('Text that promotes the app.') },
  links: {
    appCustomProductPageVersionId: to(
      'appCustomProductPageVersion',
      'appCustomProductPageVersions',
      'state',
      'Version of the page it belongs to.',
    ),
  },
})

export const listProductPageLocalizations = page({
  path: '/custom-product-page-versions/{pageVersionId}/localizations',
  group: 'marketing',
  summary: 'List the localizations of a version of a custom product page',
  from: { read: pageLocalization.locale, parent: { appCustomProductPageVersionId: 'pageVersionId' } },
  filters: { locale: any('Only these locales, by exact identifier.') },
  returns: productPageLocalization,
  reviewed: stamp('4.4.1', '2026-11-22', '9f5f2fbff7279261'),
  example: '/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations?limit=3',
})
