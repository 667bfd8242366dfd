// Asset packs that an app downloads in the background.
import { any, dateTime, flag, int64, listed, one, page, resource, stamp, text, to } from './define.ts'
import { platforms } from './parameters.ts'

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

export const listBackgroundAssets = page({
  path: '/apps/{appId}/background-assets',
  group: 'builds',
  summary: 'List the background assets of an app',
  from: { read: '/v1/apps/{appId}/backgroundAssets', parent: { appId: 'appId' } },
  filters: {
    archived: any('Whether it is archived: `true` or `false`.'),
    assetPackIdentifier: any('Only with these identifiers.'),
    'versions.locale': any('Only with a version in these locales.'),
    'versions.platforms': listed(platforms, 'Only with a version for these platforms.'),
  },
  sort: ['assetPackIdentifier', 'createdDate'],
  returns: backgroundAsset,
  reviewed: stamp('4.4.1', '2026-11-22', '27ed2b2c6f84af50'),
  example: '/apps/6446998001/background-assets?archived=false',
})
