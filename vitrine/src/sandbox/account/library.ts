// The asset library: images, videos and where they are placed.
import { flagshipId } from './apps.ts'
import { mainEventLocalizationId } from './events.ts'
import { imageAsset, sampleInstant, pick, range, row, uuid } from './rows.ts'
import { pageLocalizations } from './product-pages.ts'

const mainVideoId = '10877402008'
const otherVideoId = '10877402009'
const imageIds = range(6).map((number) => String(10_877_401_001 + number))

const mediaFacts = (name: string, number: number) => ({
  createdDate: sampleInstant(500 + number),
  lastModifiedDate: sampleInstant(620 + number),
  fileName: name,
  fileSize: 2_400_000 + number,
  referenceName: number % 2 === 0 ? `Library ${number + 1}` : null,
  specId: `spec-${number + 1}`,
  state: 'APPROVED',
  stateDetails: [],
  uploadOperations: [],
})

const libraryImageRows = imageIds.map((id, number) =>
  row('appAssetLibraryImages', id, {
    ...mediaFacts(`harbour-${number + 1}.png`, number),
    category: 'APP_SCREENSHOT',
    imageAsset: imageAsset(id, 1290, 2796),
    app: flagshipId,
  }),
)

const libraryVideoRows = [mainVideoId, otherVideoId].map((id, number) =>
  row('appAssetLibraryVideos', id, {
    ...mediaFacts(`tide-${number + 1}.mov`, number),
    category: 'APP_PREVIEW',
    previewFrameImage: { image: imageAsset(id, 886, 1920), state: { errors: [], warnings: [], state: 'COMPLETE' } },
    previewFrameTimeCode: '00:00:05:01',
    app: flagshipId,
  }),
)

const states = ['PARENT_APPROVED', 'PARENT_PREPARE_FOR_SUBMISSION', 'ASSET_PROCESSING', 'FAILED', 'PARENT_IN_REVIEW']
const groups = ['APP_IPHONE_67', 'APP_IPAD_PRO_3GEN_129', null]

function placementRow(words: string, number: number, media: string, isVideo: boolean, parent: Record<string, string>) {
  const state = pick(states, number)
  return row('appAssetLibraryPlacements', uuid(`placement ${words}`), {
    mediaType: isVideo ? 'VIDEO' : 'IMAGE',
    placementType: isVideo
      ? pick(['APP_PREVIEW', 'PRODUCT_PAGE_HEADER_ASSET'], number)
      : pick(['APP_SCREENSHOT', 'APP_STORE_SEARCH_RESULTS_ASSET', 'SEARCH_RESULTS_ADS_ASSET'], number),
    placementGroup: pick(groups, number),
    createdDate: sampleInstant(700 + ((number * 5) % 11)),
    lastModifiedDate: sampleInstant(760 + ((number * 7) % 13)),
    state,
    stateDetails: state === 'FAILED' ? [{ code: 'IMAGE_BAD_ALPHA', description: 'Transparency is not allowed.' }] : [],
    [isVideo ? 'video' : 'image']: media,
    ...parent,
    placementGroupPosition: (number * 3) % 7,
  })
}

// Each localization shows some images and, as its second placement, the main video.
const pagePlacements = pageLocalizations.flatMap(({ id, locale }, index) =>
  range(index === 5 ? 0 : 4 + (index % 3)).map((number) => {
    const isVideo = number === 1
    const media = isVideo ? mainVideoId : pick(imageIds, number)
    return placementRow(`${locale} ${number}`, index + number, media, isVideo, { appCustomProductPageLocalization: id })
  }),
)

const ofEvent = { appEventLocalization: mainEventLocalizationId }
const eventPlacements = [
  ...range(3).map((number) => placementRow(`event ${number}`, number, mainVideoId, true, ofEvent)),
  placementRow('second video', 8, otherVideoId, true, ofEvent),
]

export const rows = [...libraryImageRows, ...libraryVideoRows, ...pagePlacements, ...eventPlacements]
