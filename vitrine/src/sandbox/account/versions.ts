// App Store versions, review submissions and app infos of every app, age ratings by territory, encryption declarations.
import { appVersionStates } from '../endpoints/values.ts'
import { flagshipId, sampleApps } from './apps.ts'
import { buildId } from './feedback.ts'
import { automationId, marketerId } from './nominations.ts'
import { jsonId, sampleInstant, pick, range, row, uuid } from './rows.ts'
import { territoryCodes } from './territories.ts'

const flagshipInfoId = '0b5c7d12-6e3f-4a80-9c41-0c0000000012'

export const versionId = (appId: string, number: number): string => uuid(`version ${appId} ${number}`)

// The older names of version states differ only in these.
const olderStates: Readonly<Record<string, string>> = {
  READY_FOR_DISTRIBUTION: 'READY_FOR_SALE',
  PROCESSING_FOR_DISTRIBUTION: 'PROCESSING_FOR_APP_STORE',
}

function stateOf(appIndex: number, number: number, count: number): string {
  if (number < count - 1) return number === count - 2 ? 'READY_FOR_DISTRIBUTION' : 'REPLACED_WITH_NEW_VERSION'
  return pick(appVersionStates, appIndex)
}

const versionRows = sampleApps.flatMap((app, appIndex) => {
  const count = app.id === flagshipId ? 14 : 2 + (appIndex % 3)
  return range(count).map((number) => {
    const state = stateOf(appIndex, number, count)
    return row('appStoreVersions', versionId(app.id, number), {
      platform: pick(app.platforms, number),
      versionString: `${1 + Math.floor(number / 3)}.${number % 3}`,
      appStoreState: olderStates[state] ?? state,
      appVersionState: state,
      copyright: '2026 Northlight Studio',
      reviewType: 'APP_STORE',
      releaseType: pick(['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'], number),
      earliestReleaseDate: number % 3 === 2 ? sampleInstant(number * 200 + appIndex, 'seconds') : null,
      downloadable: state === 'READY_FOR_DISTRIBUTION',
      createdDate: sampleInstant(number * 190 + appIndex, 'pacific'),
      app: app.id,
      build: number === count - 1 ? buildId(app.id, 2) : null,
    })
  })
})

const submissionRows = sampleApps.map((app, index) =>
  row('reviewSubmissions', uuid(`submission ${app.id}`), {
    platform: pick(app.platforms, 0),
    submittedDate: index % 4 === 3 ? null : sampleInstant(900 + index),
    state: pick(['COMPLETE', 'IN_REVIEW', 'WAITING_FOR_REVIEW', 'READY_FOR_REVIEW', 'UNRESOLVED_ISSUES'], index),
    app: app.id,
    appStoreVersionForReview: versionId(app.id, 1),
    submittedByActor: index % 4 === 3 ? null : marketerId,
    lastUpdatedByActor: automationId,
  }),
)

const infos = sampleApps.flatMap((app) => [
  { id: app.id === flagshipId ? flagshipInfoId : uuid(`info live ${app.id}`), app: app.id, isLive: true },
  { id: uuid(`info next ${app.id}`), app: app.id, isLive: false },
])

const infoRows = infos.map((info, index) =>
  row('appInfos', info.id, {
    appStoreState: info.isLive ? 'READY_FOR_SALE' : 'PREPARE_FOR_SUBMISSION',
    state: info.isLive ? 'READY_FOR_DISTRIBUTION' : 'PREPARE_FOR_SUBMISSION',
    appStoreAgeRating: pick(['FOUR_PLUS', 'NINE_PLUS', 'THIRTEEN_PLUS', 'FOUR_PLUS'], index),
    brazilAgeRatingV2: pick(['SELF_RATED_L', 'SELF_RATED_TEN', null], index),
    koreaAgeRating: pick(['ALL', null, 'TWELVE'], index),
    app: info.app,
  }),
)

const ordinaryRatings = ['FOUR_PLUS', 'FOUR_PLUS', 'NINE_PLUS', 'THIRTEEN_PLUS', 'SIXTEEN_PLUS']
const nationalRatings: Readonly<Record<string, string | null>> = {
  AUS: 'FIFTEEN_PLUS',
  BRA: 'L',
  DEU: 'SIX_PLUS',
  FRA: 'THREE_PLUS',
  KOR: 'ALL',
  CHN: null,
  IDN: 'UNRATED',
  ZAF: 'TWENTY_ONE_PLUS',
}

// Only the live info of an app is rated everywhere; the next one starts with its five largest storefronts.
const ageRatingRows = infos.flatMap((info, index) =>
  (info.isLive ? territoryCodes : ['USA', 'JPN', 'GBR', 'DEU', 'FRA']).map((territory) => {
    const national = nationalRatings[territory]
    return row('territoryAgeRatings', jsonId({ a: info.id, t: territory }), {
      appStoreAgeRating: national === undefined ? pick(ordinaryRatings, index) : national,
      territory,
      appInfo: info.id,
    })
  }),
)

// The second declaration belongs to no app any more.
const declarationRows = [
  ['1f3e5d7c-9b0a-4827-96c5-0e0000000029', flagshipId],
  ['1f3e5d7c-9b0a-4827-96c5-0e0000000030', null],
].map(([id, app]) =>
  row('appEncryptionDeclarations', id ?? '', {
    appDescription: 'Encrypts harbour logs at rest.',
    createdDate: sampleInstant(150),
    exempt: true,
    containsProprietaryCryptography: false,
    containsThirdPartyCryptography: true,
    availableOnFrenchStore: true,
    appEncryptionDeclarationState: 'APPROVED',
    app: app ?? null,
  }),
)

export const rows = [...versionRows, ...submissionRows, ...infoRows, ...ageRatingRows, ...declarationRows]
