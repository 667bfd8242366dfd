// Build uploads with their files, and build bundles with the state of their App Clip domains.
import { flagshipId, sampleApps } from './apps.ts'
import { buildId } from './feedback.ts'
import { hexDigest, sampleInstant, pick, range, row, uploadOperations, uuid } from './rows.ts'

const mainUploadId = '86f4a2c0-9e1d-4b35-87d6-0b0000000025'
const mainFileId = 'c2a8f6d4-0b3e-4f7a-9e21-0b0000000006'
const mainBundleId = '2e9c7b5a-4f38-4d06-a1e2-0b0000000027'

const uploads = sampleApps.slice(0, 6).map((app) => ({
  id: app.id === flagshipId ? mainUploadId : uuid(`upload ${app.id}`),
  app: app.id,
  fileIds: range(app.id === flagshipId ? 8 : 3).map((number) =>
    app.id === flagshipId && number === 0 ? mainFileId : uuid(`upload file ${app.id} ${number}`),
  ),
}))

const uploadRows = uploads.map((upload, index) =>
  row('buildUploads', upload.id, {
    cfBundleShortVersionString: '2.1',
    cfBundleVersion: String(413 + index),
    createdDate: sampleInstant(1000 + index),
    state: { errors: [], warnings: [], infos: [], state: pick(['COMPLETE', 'PROCESSING', 'AWAITING_UPLOAD'], index) },
    platform: 'IOS',
    uploadedDate: index === 2 ? null : sampleInstant(1001 + index),
    buildUploadFiles: upload.fileIds,
    build: buildId(upload.app, 3),
    assetFile: upload.fileIds[0] ?? null,
    assetDescriptionFile: upload.fileIds[1] ?? null,
    assetSpiFile: upload.fileIds[2] ?? null,
    app: upload.app,
  }),
)

const kinds = [
  { assetType: 'ASSET', name: 'Northlight.ipa', uti: 'com.apple.ipa' },
  { assetType: 'ASSET_DESCRIPTION', name: 'AppDescription.plist', uti: 'com.apple.binary-property-list' },
  { assetType: 'ASSET_SPI', name: 'DTAppAnalyzerExtractorOutput.zip', uti: 'com.pkware.zip-archive' },
]
const deliveryStates = ['COMPLETE', 'UPLOAD_COMPLETE', 'AWAITING_UPLOAD', 'FAILED']

function deliveryOf(state: string) {
  const failure = { code: 'ITMS-90161', description: 'Invalid Provisioning Profile. The profile has expired. ⚠️' }
  const notice = { code: 'ITMS-90704', description: 'The large app icon is missing an alternate appearance.' }
  return { errors: state === 'FAILED' ? [failure] : [], warnings: state === 'COMPLETE' ? [notice] : [], state }
}

function operationsOf(id: string, size: number, number: number) {
  const part = 5_242_880
  const lengths = range(Math.ceil(size / part)).map((index) => Math.min(part, size - index * part))
  return uploadOperations(id, lengths).map((operation, index) => ({
    ...operation,
    expiration: sampleInstant(1100 + number, 'decimals'),
    partNumber: index + 1,
    entityTag: index === 0 ? `"${hexDigest(id).slice(0, 32)}"` : null,
  }))
}

const uploadFileRows = uploads.flatMap((upload) =>
  upload.fileIds.map((id, number) => {
    const kind = pick(kinds, number)
    const size = kind.assetType === 'ASSET' ? 12_582_913 + number : 4096 + number * 11
    const isAwaited = pick(deliveryStates, number) === 'AWAITING_UPLOAD'
    return row('buildUploadFiles', id, {
      assetDeliveryState: deliveryOf(pick(deliveryStates, number)),
      assetToken: isAwaited ? null : `BuildUpload/${hexDigest(id).slice(0, 16)}`,
      assetType: kind.assetType,
      fileName: kind.name,
      fileSize: size,
      sourceFileChecksums: isAwaited
        ? null
        : {
            file: { hash: hexDigest(id), algorithm: 'SHA_256' },
            composite: { hash: hexDigest(id).slice(0, 32), algorithm: 'MD5' },
          },
      uploadOperations: operationsOf(id, size, number),
      uti: kind.uti,
    })
  }),
)

// A second bundle is an ordinary app without an App Clip, hence without a status.
const bundleRows = [
  row('buildBundles', mainBundleId, {
    bundleId: 'com.example.northlight.tidal-charts.Clip',
    bundleType: 'APP_CLIP',
    fileName: 'TidalChartsClip.app',
    appClipDomainDebugStatus: uuid('domain status'),
    build: buildId(flagshipId, 3),
  }),
  row('buildBundles', uuid('bundle with a clip'), {
    bundleId: 'com.example.northlight.tidal-charts',
    bundleType: 'APP',
    fileName: 'TidalCharts.app',
    build: buildId(flagshipId, 3),
  }),
  row('buildBundles', uuid('bundle without a clip'), {
    bundleId: 'com.example.northlight.paper-lantern',
    bundleType: 'APP',
    fileName: 'PaperLantern.app',
    build: buildId(sampleApps[1]?.id ?? '', 3),
  }),
]

const domainStatusRows = [
  row('appClipDomainStatuses', uuid('domain status'), {
    domains: [
      { domain: 'clips.northlight.example.com', isValid: true, lastUpdatedDate: sampleInstant(1201), errorCode: null },
      { domain: 'tides.example.com', isValid: true, lastUpdatedDate: sampleInstant(1203), errorCode: null },
      {
        domain: 'old.example.com',
        isValid: false,
        lastUpdatedDate: sampleInstant(1204),
        errorCode: 'CANNOT_REACH_AASA_FILE',
      },
      { domain: 'bücher.example.com', isValid: false, lastUpdatedDate: null, errorCode: 'TLS_ERROR' },
    ],
    lastUpdatedDate: sampleInstant(1206),
  }),
]

export const rows = [...uploadRows, ...uploadFileRows, ...bundleRows, ...domainStatusRows]
