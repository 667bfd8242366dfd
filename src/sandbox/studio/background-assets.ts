// Background assets of the flagship, with their versions.
import type { Row } from '../store.ts'
import { flagshipId } from './apps.ts'
import { moment, pick, range, row, uuid } from './make.ts'

const assetIds = ['b8e2f4a6-5c7d-4190-93eb-0b0000000017', uuid('background asset empty')] as const
const assetVersionId = (number: number): string => uuid(`background asset version ${number}`)

const backgroundAssetRows = assetIds.map((id, index) =>
  row(
    'backgroundAssets',
    id,
    {
      archived: index === 1,
      assetPackIdentifier: pick(['harbours-europe', 'tutorial'], index),
      createdDate: moment(200 + index),
      usedBytes: index === 0 ? 4_294_967_296_123 : null,
    },
    index === 0
      ? {
          app: flagshipId,
          versions: range(3).map(assetVersionId),
          appStoreVersion: assetVersionId(0),
          internalBetaVersion: assetVersionId(2),
          externalBetaVersion: null,
        }
      : { app: flagshipId },
  ),
)

const backgroundAssetVersionRows = range(3).map((number) =>
  row(
    'backgroundAssetVersions',
    assetVersionId(number),
    {
      createdDate: moment(210 + number),
      platforms: ['IOS', 'MAC_OS'],
      state: pick(['COMPLETE', 'COMPLETE', 'PROCESSING'], number),
      stateDetails: null,
      version: String(number + 1),
      locale: null,
    },
    { backgroundAsset: assetIds[0] },
  ),
)

export const rows: readonly Row[] = [...backgroundAssetRows, ...backgroundAssetVersionRows]
