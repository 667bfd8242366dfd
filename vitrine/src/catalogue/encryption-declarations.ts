// Declarations of the encryption that an app uses.
import { any, dateTime, flag, known, page, resource, stamp, text, to } from './define.ts'
import { ofApp } from './versions.ts'

const encryptionDeclaration = resource({
  name: 'EncryptionDeclaration',
  type: 'appEncryptionDeclarations',
  attributes: {
    appDescription: text('What the encryption is for.'),
    createdDate: dateTime('When it was created.'),
    exempt: flag('Whether it needs no documents.'),
    containsProprietaryCryptography: flag('Whether an algorithm is no standard.'),
    containsThirdPartyCryptography: flag('Whether it comes from third parties.'),
    availableOnFrenchStore: flag('Whether the app is sold in France.'),
    appEncryptionDeclarationState: known(
      ['CREATED', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'INVALID', 'EXPIRED'],
      'State of the declaration.',
    ),
    codeValue: text('Code for the property list of the app.'),
  },
  links: {
    appEncryptionDeclarationDocumentId: to(
      'appEncryptionDeclarationDocument',
      'appEncryptionDeclarationDocuments',
      'fileSize',
      'Its document.',
    ),
  },
})

export const listEncryptionDeclarations = page({
  path: '/apps/{appId}/encryption-declarations',
  group: 'apps',
  summary: 'List the encryption declarations of an app',
  from: { owner: ofApp, read: '/v1/appEncryptionDeclarations', parent: { app: 'appId' } },
  filters: { builds: any('Only of these builds, by id.') },
  returns: encryptionDeclaration,
  reviewed: stamp('4.4.1', '2026-11-22', 'fc979ddedbbfb303'),
  example: '/apps/6446998001/encryption-declarations',
})
