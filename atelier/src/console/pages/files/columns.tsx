// The columns of a listed folder.
import { RelativeTime } from '../../../../../base/console/parts/display.tsx'
import type { TableColumn } from '../../../../../base/console/parts/table.tsx'
import { lowerCase } from '../../../../../base/console/word-search.ts'
import type { FolderEntry } from '../../answers.ts'
import { mebibytes } from '../../units.ts'
import { EntryName, shownName } from './entry-text.tsx'

export const columns: readonly TableColumn<FolderEntry>[] = [
  {
    name: 'Name',
    width: 'minmax(8rem, 1fr)',
    cell: (entry) => <EntryName entry={entry} />,
    sortBy: (entry) => lowerCase(shownName(entry)),
  },
  {
    name: 'Size',
    width: '5.5rem',
    cell: ({ type, sizeBytes }) =>
      type === 'file' ? <span class="number">{mebibytes(sizeBytes)}</span> : <span>–</span>,
    sortBy: ({ type, sizeBytes }) => (type === 'file' ? sizeBytes : -1),
  },
  {
    name: 'Kind',
    width: '5.5rem',
    wideOnly: true,
    cell: ({ type }) => type,
    sortBy: ({ type }) => type,
  },
  {
    name: 'Mode',
    width: '4.5rem',
    wideOnly: true,
    cell: ({ mode }) => <span class="mono">{mode}</span>,
    sortBy: ({ mode }) => mode,
  },
  {
    name: 'Modified',
    width: '6.5rem',
    wideOnly: true,
    cell: ({ modifiedAt }) => <RelativeTime iso={modifiedAt} />,
    sortBy: ({ modifiedAt }) => Date.parse(modifiedAt),
  },
]
