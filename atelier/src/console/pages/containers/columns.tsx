// The columns of the table of containers.
import { whole } from '../../../../../base/console/format.ts'
import { RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { TableColumn } from '../../../../../base/console/parts/table.tsx'
import { lowerCase } from '../../../../../base/console/word-search.ts'
import type { Container } from '../../answers.ts'
import { ContainerName, ContainerState, nameOf } from '../../container-state.tsx'
import { memory } from '../../units.ts'

export const columns: readonly TableColumn<Container>[] = [
  {
    name: 'Name',
    width: 'minmax(7rem, 1.4fr)',
    cell: (item) => <ContainerName item={item} />,
    sortBy: (item) => lowerCase(nameOf(item)),
  },
  {
    name: 'State',
    width: '5.5rem',
    cell: (item) => <ContainerState item={item} />,
    sortBy: ({ status }) => status,
  },
  {
    name: 'Image',
    width: 'minmax(6rem, 1fr)',
    wideOnly: true,
    cell: ({ image }) => <UntrustedText text={image.name} />,
    sortBy: ({ image }) => lowerCase(image.name),
  },
  {
    name: 'CPUs',
    width: '4rem',
    wideOnly: true,
    cell: ({ limits }) => <span class="number">{whole(limits.cpu)}</span>,
    sortBy: ({ limits }) => limits.cpu,
  },
  {
    name: 'Memory',
    width: '5.5rem',
    wideOnly: true,
    cell: ({ limits }) => <span class="number">{memory(limits.memoryMiB)}</span>,
    sortBy: ({ limits }) => limits.memoryMiB,
  },
  {
    name: 'Created',
    width: '6.25rem',
    wideOnly: true,
    cell: ({ createdAt }) => <RelativeTime iso={createdAt} />,
    sortBy: ({ createdAt }) => Date.parse(createdAt),
  },
  {
    name: 'Ends',
    width: '6rem',
    cell: ({ status, expiresAt }) => (status === 'running' ? <RelativeTime iso={expiresAt} /> : <span>–</span>),
    sortBy: ({ expiresAt }) => Date.parse(expiresAt),
  },
]
