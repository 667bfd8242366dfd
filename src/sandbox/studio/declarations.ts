// Encryption declarations.
import type { Row } from '../store.ts'
import { flagshipId } from './apps.ts'
import { moment, row } from './make.ts'

// The second declaration belongs to no app any more.
const declarationRows = [
  ['1f3e5d7c-9b0a-4827-96c5-0e0000000029', flagshipId],
  ['1f3e5d7c-9b0a-4827-96c5-0e0000000030', null],
].map(([id, app]) =>
  row(
    'appEncryptionDeclarations',
    id ?? '',
    {
      appDescription: 'Encrypts harbour logs at rest.',
      createdDate: moment(150),
      exempt: true,
      containsProprietaryCryptography: false,
      containsThirdPartyCryptography: true,
      availableOnFrenchStore: true,
      appEncryptionDeclarationState: 'APPROVED',
    },
    { app: app ?? null },
  ),
)

export const rows: readonly Row[] = [...declarationRows]
