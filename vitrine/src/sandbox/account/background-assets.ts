// Background assets of the flagship, with their versions.
import { flagshipId } from './apps.ts'
import { sampleInstant, pick, range, row, uuid } from './rows.ts'

const assetIds = ['b8e2f4a6-5c7d-4190-93eb-0b0000000017', uuid('background asset empty')] as const
const assetVersionId = (number: number): string => uuid(`background asset version ${number}`)

const backgroundAssetRows = [
  row('backgroundAssets', assetIds[0], {
    archived: false,
    assetPackIdentifier: 'harbours-europe',
    createdDate: sampleInstant(200),
    usedBytes: 4_294_967_296_123,
    app: flagshipId,
    versions: range(3).map(assetVersionId),
    appStoreVersion: assetVersionId(0),
    internalBetaVersion: assetVersionId(2),
  }),
  row('backgroundAssets', assetIds[1], {
    archived: true,
    assetPackIdentifier: 'tutorial',
    createdDate: sampleInstant(201),
    usedBytes: null,
    app: flagshipId,
  }),
]

const backgroundAssetVersionRows = range(3).map((number) =>
  row('backgroundAssetVersions', assetVersionId(number), {
    createdDate: sampleInstant(210 + number),
    platforms: ['IOS', 'MAC_OS'],
    state: pick(['COMPLETE', 'COMPLETE', 'PROCESSING'], number),
    version: String(number + 1),
    backgroundAsset: assetIds[0],
  }),
)

export const rows = [...backgroundAssetRows, ...backgroundAssetVersionRows]
