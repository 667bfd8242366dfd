// Placements of the asset library: on a custom product page, or of one video.
import { any, dateTime, ids, known, list, listed, page, record, resource, stamp, text, wordsOf } from './define.ts'
import { pageLocalization } from './product-pages.ts'

const placementTypes =
  wordsOf(`APP_SCREENSHOT IMESSAGE_APP_SCREENSHOT APP_PREVIEW PRODUCT_PAGE_HEADER_ASSET APP_STORE_SEARCH_RESULTS_ASSET
  SEARCH_RESULTS_ADS_ASSET TODAY_TAB_ADS_ASSET EVENT_CARD_ASSET EVENT_DETAILS_PAGE_ASSET RETENTION_MESSAGE_ASSET`)

const placementStates =
  wordsOf(`ASSET_PROCESSING FAILED PARENT_PREPARE_FOR_SUBMISSION PARENT_READY_FOR_REVIEW PARENT_WAITING_FOR_REVIEW
  PARENT_IN_REVIEW PARENT_APPROVED`)

const placement = resource({
  name: 'Placement',
  type: 'appAssetLibraryPlacements',
  attributes: {
    mediaType: known(['IMAGE', 'VIDEO'], 'What is placed.'),
    placementType: known(placementTypes, 'Where it is placed.'),
    placementGroup: text('Group that it is ordered in, such as a display size.'),
    createdDate: dateTime('When it was placed.'),
    lastModifiedDate: dateTime('When it last changed.'),
    state: known(placementStates, 'State of the placement.'),
    stateDetails: list(record({ code: text(), description: text() }), 'Reason for the state.'),
  },
})

const placementFilters = {
  placementType: listed(placementTypes, 'Only these places.'),
  placementGroup: any('Only these groups.'),
  state: listed(placementStates, 'Only these states.'),
  image: any('Only placements of these library images, by id.'),
  appEventLocalization: any('Only placements in these event localizations, by id.'),
  appStoreVersionLocalization: any('Only placements in these version localizations, by id.'),
  appStoreVersionExperimentTreatmentLocalization: any('Only placements in these treatment localizations, by id.'),
  id: any('Only these placements, by id.'),
}

/** `placementGroupPosition` can be sorted by, but not read */
const placementSort = ['createdDate', 'lastModifiedDate', 'placementGroupPosition']

export const listProductPagePlacements = page({
  path: '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/placements',
  group: 'marketing',
  summary: 'List the placements of a custom product page in one locale',
  from: {
    resolve: pageLocalization,
    read: '/v1/appCustomProductPageLocalizations/{localizationId}/placements',
    parent: { appCustomProductPageLocalization: 'localizationId' },
  },
  filters: { ...placementFilters, video: any('Only placements of these library videos, by id.') },
  sort: placementSort,
  returns: placement,
  reviewed: stamp('4.5.1', '2026-11-20'),
  example: '/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations/en-US/placements?limit=2',
})

export const listProductPagePlacementIds = ids({
  path: '/custom-product-page-versions/{pageVersionId}/localizations/{locale}/placements/ids',
  group: 'marketing',
  summary: 'List the ids of the placements of a custom product page in one locale',
  from: {
    resolve: pageLocalization,
    read: '/v1/appCustomProductPageLocalizations/{localizationId}/relationships/placements',
  },
  type: 'appAssetLibraryPlacements',
  reviewed: stamp('4.5.1', '2026-11-20'),
  example: '/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations/de-DE/placements/ids',
})

export const listLibraryVideoPlacements = page({
  path: '/library-videos/{libraryVideoId}/placements',
  group: 'marketing',
  summary: 'List the placements of a library video',
  about: 'No route lists library videos: version 4.4.1 of the platform has no list of them.',
  from: { read: '/v1/appAssetLibraryVideos/{libraryVideoId}/placements', parent: { video: 'libraryVideoId' } },
  filters: {
    ...placementFilters,
    appCustomProductPageLocalization: any('Only placements in these custom product page localizations, by id.'),
  },
  sort: placementSort,
  returns: placement,
  reviewed: stamp('4.5.1', '2026-11-20'),
  example: '/library-videos/10877402008/placements?limit=2&sort=-createdDate',
})
