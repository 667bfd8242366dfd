// The asset library: images, videos and where they are placed.
import type { Row } from '../store.ts'
import { flagshipId } from './apps.ts'
import { mainEventLocalizationId } from './events.ts'
import { imageAsset, moment, pick, range, row, uuid } from './make.ts'
import { pageLocalizations } from './product-pages.ts'

const mainVideoId = '10877402008'
const otherVideoId = '10877402009'
const imageIds = range(6).map((number) => String(10_877_401_001 + number))

function mediaFacts(name: string, number: number) {
  return {
    createdDate: moment(500 + number),
    lastModifiedDate: moment(620 + number),
    fileName: name,
    fileSize: 2_400_000 + number,
    referenceName: number % 2 === 0 ? `Library ${number + 1}` : null,
    specId: `spec-${number + 1}`,
    state: 'APPROVED',
    stateDetails: [],
    uploadOperations: [],
  }
}

const libraryImageRows = imageIds.map((id, number) =>
  row(
    'appAssetLibraryImages',
    id,
    {
      ...mediaFacts(`harbour-${number + 1}.png`, number),
      category: 'APP_SCREENSHOT',
      imageAsset: imageAsset(id, 1290, 2796),
    },
    {},
    { app: flagshipId },
  ),
)

const libraryVideoRows = [mainVideoId, otherVideoId].map((id, number) =>
  row(
    'appAssetLibraryVideos',
    id,
    {
      ...mediaFacts(`tide-${number + 1}.mov`, number),
      category: 'APP_PREVIEW',
      previewFrameImage: { image: imageAsset(id, 886, 1920), state: { errors: [], warnings: [], state: 'COMPLETE' } },
      previewFrameTimeCode: '00:00:05:01',
      videoAsset: null,
    },
    {},
    { app: flagshipId },
  ),
)

const states = ['PARENT_APPROVED', 'PARENT_PREPARE_FOR_SUBMISSION', 'ASSET_PROCESSING', 'FAILED', 'PARENT_IN_REVIEW']
const groups = ['APP_IPHONE_67', 'APP_IPAD_PRO_3GEN_129', null]

function placementFacts(number: number, isVideo: boolean) {
  const state = pick(states, number)
  return {
    mediaType: isVideo ? 'VIDEO' : 'IMAGE',
    placementType: isVideo
      ? pick(['APP_PREVIEW', 'PRODUCT_PAGE_HEADER_ASSET'], number)
      : pick(['APP_SCREENSHOT', 'APP_STORE_SEARCH_RESULTS_ASSET', 'SEARCH_RESULTS_ADS_ASSET'], number),
    placementGroup: pick(groups, number),
    createdDate: moment(700 + ((number * 5) % 11)),
    lastModifiedDate: moment(760 + ((number * 7) % 13)),
    state,
    stateDetails: state === 'FAILED' ? [{ code: 'IMAGE_BAD_ALPHA', description: 'Transparency is not allowed.' }] : [],
  }
}

function placementRow(words: string, number: number, media: string, isVideo: boolean, parent: Record<string, string>) {
  return row(
    'appAssetLibraryPlacements',
    uuid(`placement ${words}`),
    placementFacts(number, isVideo),
    { [isVideo ? 'video' : 'image']: media, ...parent },
    { placementGroupPosition: (number * 3) % 7 },
  )
}

// Each localization shows some images and, as its second placement, the main video.
const pagePlacements = pageLocalizations.flatMap(({ id, locale }, index) =>
  range(index === 5 ? 0 : 4 + (index % 3)).map((number) => {
    const isVideo = number === 1
    const parent = { appCustomProductPageLocalization: id }
    return placementRow(
      `${locale} ${number}`,
      index + number,
      isVideo ? mainVideoId : pick(imageIds, number),
      isVideo,
      parent,
    )
  }),
)

const eventPlacements = range(3).map((number) =>
  placementRow(`event ${number}`, number, mainVideoId, true, { appEventLocalization: mainEventLocalizationId }),
)

const placementRows = [
  ...pagePlacements,
  ...eventPlacements,
  placementRow('second video', 8, otherVideoId, true, { appEventLocalization: mainEventLocalizationId }),
]

export const rows: readonly Row[] = [...libraryImageRows, ...libraryVideoRows, ...placementRows]
