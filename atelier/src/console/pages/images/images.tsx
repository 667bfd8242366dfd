// The images: own ones and base images, the one that the address names, and building another.
import { useSignal } from '@preact/signals'
import { type UsedListing, useListing } from '../../../../../base/console/listing.ts'
import { useRepeat } from '../../../../../base/console/load.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { ListingStatus } from '../../../../../base/console/parts/listing-status.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'
import { Empty, Waiting } from '../../../../../base/console/parts/states.tsx'
import { Table, type TableColumn } from '../../../../../base/console/parts/table.tsx'
import { go, replaceQuery, route } from '../../../../../base/console/router.ts'
import { lowerCase, wordMatcher } from '../../../../../base/console/word-search.ts'
import type { Image } from '../../answers.ts'
import { refresh, subscription } from '../../live.ts'
import { mebibytes } from '../../units.ts'
import { Usage } from '../../usage.tsx'
import { BuildDialog } from './build-dialog.tsx'
import { ImagePanel } from './image-panel.tsx'
import { ImageState, isBuilding } from './image-state.tsx'
import './images.css'

const path = '/console/images'
/** while one is being built */
const buildingMs = 3_000

const columns: readonly TableColumn<Image>[] = [
  {
    name: 'Name',
    width: 'minmax(7rem, 1.4fr)',
    cell: ({ name }) => <UntrustedText text={name} />,
    sortBy: ({ name }) => lowerCase(name),
  },
  { name: 'State', width: '5.5rem', cell: ImageState, sortBy: ({ status }) => status },
  { name: 'Scope', width: '4rem', cell: ({ scope }) => scope, sortBy: ({ scope }) => scope },
  {
    name: 'Built on',
    width: 'minmax(6rem, 1fr)',
    wideOnly: true,
    cell: ({ baseImage }) => (baseImage ? <UntrustedText text={baseImage.name} /> : '–'),
    sortBy: ({ baseImage }) => baseImage?.name ?? '',
  },
  {
    name: 'Size',
    width: '6rem',
    wideOnly: true,
    cell: ({ sizeBytes }) => <span class="number">{sizeBytes === null ? '–' : mebibytes(sizeBytes)}</span>,
    sortBy: ({ sizeBytes }) => sizeBytes ?? -1,
  },
  {
    name: 'Created',
    width: '6.25rem',
    wideOnly: true,
    cell: ({ createdAt }) => <RelativeTime iso={createdAt} />,
    sortBy: ({ createdAt }) => Date.parse(createdAt),
  },
]

const scopes = { '': 'All', own: 'Own', base: 'Base images' } as const

function useFilter(items: readonly Image[]) {
  const text = useSignal('')
  const scope = useSignal<keyof typeof scopes>('')
  const isFound = wordMatcher(text.value)
  const images = items.filter(
    (item) => (scope.value === '' || item.scope === scope.value) && isFound(lowerCase(`${item.name}\n${item.id}`)),
  )
  return { text, scope, images }
}

interface ListProps {
  readonly used: UsedListing<Image>
  readonly filter: ReturnType<typeof useFilter>
  readonly onBuild: () => void
}

function List({ used, filter: { images, text, scope }, onBuild }: ListProps) {
  const { items, state } = used.listing.value
  const openId = route.value.query.get('id')
  if (images.length > 0)
    return (
      <Table
        label="Images"
        columns={columns}
        items={images}
        idOf={({ id }) => id}
        isChosen={({ id }) => id === openId}
        onOpen={({ id }) => go(path, { id })}
      />
    )
  if (state === 'loading') return <Waiting rows={8} what="images" />
  if (items.length > 0)
    return (
      <Empty title="No matching images.">
        <Button
          onClick={() => {
            text.value = ''
            scope.value = ''
          }}
        >
          Show all images
        </Button>
      </Empty>
    )
  if (state !== 'whole') return null
  return (
    <Empty title="No images yet.">
      <p>Containers run on images. Ask the operator for a base image, or build one FROM scratch.</p>
      <Button kind="main" onClick={onBuild}>
        Build an image
      </Button>
    </Empty>
  )
}

export default function Images() {
  const used = useListing<Image>('/images')
  const isOpen = useSignal(false)
  const { items } = used.listing.value
  const filter = useFilter(items)
  const openId = route.value.query.get('id') ?? undefined
  useRepeat(used.again, items.some(isBuilding) ? buildingMs : undefined)
  const build = () => void (isOpen.value = true)
  const onMade = (made: Image) => {
    isOpen.value = false
    used.put(made)
    refresh()
    go(path, { id: made.id })
  }
  return (
    <>
      {subscription.value && <Usage subscription={subscription.value} only={['images']} />}
      <div class="toolbar">
        <Filter label="Search name or ID" value={filter.text.value} onInput={(typed) => (filter.text.value = typed)} />
        <ChoiceField
          label="Scope"
          value={filter.scope.value}
          choices={scopes}
          onChoose={(one) => (filter.scope.value = one)}
        />
        <span class="end">
          <Button kind="main" onClick={build}>
            Build image
          </Button>
        </span>
      </div>
      <ListingStatus used={used} shown={filter.images.length} names={['image', 'images']} />
      <div class="split">
        <div>
          <List used={used} filter={filter} onBuild={build} />
        </div>
        {openId !== undefined && <ImagePanel key={openId} id={openId} images={used} onClose={() => replaceQuery({})} />}
      </div>
      {isOpen.value && <BuildDialog onMade={onMade} onClose={() => (isOpen.value = false)} />}
    </>
  )
}
