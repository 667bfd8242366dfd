// Asset packs that an app downloads in the background.
import { dateTime, flag, int64, one, resource, stamp, text, to } from './define.ts'

const backgroundAsset = resource({
  name: 'BackgroundAsset',
  type: 'backgroundAssets',
  attributes: {
    archived: flag('Whether it is archived.'),
    assetPackIdentifier: text('Identifier of the pack in the app.'),
    createdDate: dateTime('When it was created.'),
    usedBytes: int64('Size in bytes.'),
  },
  links: {
    appId: to('app', 'apps', 'sku', 'App it belongs to.'),
    versionId: to('appStoreVersion', 'backgroundAssetVersions', 'state', 'Version in the store.'),
    internalBetaVersionId: to(
      'internalBetaVersion',
      'backgroundAssetVersions',
      'state',
      'Version of internal testers.',
    ),
    externalBetaVersionId: to(
      'externalBetaVersion',
      'backgroundAssetVersions',
      'state',
      'Version of external testers.',
    ),
  },
})

export const getBackgroundAsset = one({
  path: '/background-assets/{backgroundAssetId}',
  group: 'builds',
  summary: 'Read a background asset',
  from: { read: '/v1/backgroundAssets/{backgroundAssetId}' },
  returns: backgroundAsset,
  reviewed: stamp('4.4.1', '2026-11-21', '0be22fd4e7d584aa'),
  example: '/background-assets/b8e2f4a6-5c7d-4190-93eb-0b0000000017',
})
