// Uploads of builds and their files. Their upload operations are recorded metadata: nothing is ever uploaded or fetched.
import { any, dateTime, ids, int64, known, list, listed, one, page, record, resource } from './define.ts'
import { stamp, text, to, wordsOf } from './define.ts'
import { platforms } from './parameters.ts'

const notices = list(record({ code: text(), description: text() }))

const buildUploadFile = resource({
  name: 'BuildUploadFile',
  type: 'buildUploadFiles',
  attributes: {
    assetDeliveryState: record(
      {
        errors: notices,
        warnings: notices,
        state: known(['AWAITING_UPLOAD', 'UPLOAD_COMPLETE', 'COMPLETE', 'FAILED']),
      },
      'State of the delivery.',
    ),
    assetToken: text('Token of the delivered file.'),
    assetType: known(['ASSET', 'ASSET_DESCRIPTION', 'ASSET_SPI'], 'Kind of file.'),
    fileName: text('File name.'),
    fileSize: int64('Size in bytes.'),
    sourceFileChecksums: record(
      {
        file: record({ hash: text(), algorithm: known(['MD5', 'SHA_256']) }),
        composite: record({ hash: text(), algorithm: known(['MD5']) }),
      },
      'Checksums that the uploader gave.',
    ),
    uploadOperations: list(
      record({
        method: text(),
        url: text(),
        length: int64(),
        offset: int64(),
        partNumber: int64(),
        requestHeaders: list(record({ name: text(), value: text() })),
        expiration: dateTime(),
        entityTag: text(),
      }),
      'Recorded metadata of the upload; reading performs none of it.',
    ),
    uti: known(
      wordsOf(
        `com.apple.binary-property-list com.apple.ipa com.apple.pkg com.apple.xml-property-list com.pkware.zip-archive`,
      ),
      "Uniform type identifier, in the platform's own words.",
    ),
  },
})

export const getBuildUploadFile = one({
  path: '/build-upload-files/{buildUploadFileId}',
  group: 'builds',
  summary: 'Read a build upload file',
  from: { read: '/v1/buildUploadFiles/{buildUploadFileId}' },
  neverCached: 'signed addresses',
  returns: buildUploadFile,
  reviewed: stamp('4.4.1', '2026-11-21', '96fd36476afc9d54'),
  example: '/build-upload-files/c2a8f6d4-0b3e-4f7a-9e21-0b0000000006',
})

export const listBuildUploadFileIds = ids({
  path: '/build-uploads/{buildUploadId}/build-upload-files/ids',
  group: 'builds',
  summary: 'List the ids of the files of a build upload',
  from: { read: '/v1/buildUploads/{buildUploadId}/relationships/buildUploadFiles' },
  type: 'buildUploadFiles',
  reviewed: stamp('4.4.1', '2026-11-21', '47b35cacf8748471'),
  example: '/build-uploads/86f4a2c0-9e1d-4b35-87d6-0b0000000025/build-upload-files/ids',
})

const uploadFile = (relation: string, about: string) => to(relation, 'buildUploadFiles', 'fileSize', about)

const buildUpload = resource({
  name: 'BuildUpload',
  type: 'buildUploads',
  attributes: {
    cfBundleShortVersionString: text('Version number.'),
    cfBundleVersion: text('Build number.'),
    createdDate: dateTime('When the upload began.'),
    state: record(
      {
        errors: notices,
        warnings: notices,
        infos: notices,
        state: known(['AWAITING_UPLOAD', 'PROCESSING', 'FAILED', 'COMPLETE']),
      },
      'State of the upload, and what the platform says about it.',
    ),
    platform: known(platforms, 'Platform.'),
    uploadedDate: dateTime('When the upload was complete.'),
  },
  links: {
    buildId: to('build', 'builds', 'expired', 'Build that came of it.'),
    assetFileId: uploadFile('assetFile', 'File with the build.'),
    assetDescriptionFileId: uploadFile('assetDescriptionFile', 'File that describes it.'),
    assetSpiFileId: uploadFile('assetSpiFile', "File with the analyzer's output."),
  },
})

export const listBuildUploads = page({
  path: '/apps/{appId}/build-uploads',
  group: 'builds',
  summary: 'List the uploads of builds of an app',
  from: { read: '/v1/apps/{appId}/buildUploads' },
  filters: {
    cfBundleShortVersionString: any('Only with these version numbers.'),
    cfBundleVersion: any('Only with these build numbers.'),
    platform: listed(platforms, 'Only for these platforms.'),
    state: any('Only in these states, such as `COMPLETE`.'),
  },
  sort: ['cfBundleVersion', 'uploadedDate'],
  returns: buildUpload,
  reviewed: stamp('4.4.1', '2026-11-22', 'ddcf86ccfd44b00e'),
  example: '/apps/6446998001/build-uploads?limit=2&sort=-uploadedDate',
})
