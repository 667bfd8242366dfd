// How much of a listing is shown, and whether that is all of it.
import type { Listing, UsedListing } from '../listing.ts'
import { counted, whole } from '../format.ts'
import { Button } from './controls.tsx'
import { RelativeTime } from './display.tsx'
import { Failed } from './states.tsx'

interface ListingStatusProps {
  readonly used: Pick<UsedListing<unknown>, 'listing' | 'again' | 'more'>
  readonly shown: number
  readonly names: readonly [one: string, many: string]
  /** another listing, which is loaded together with this one, has the button */
  readonly bare?: boolean
}

const partWords = { more: 'More available', failed: 'Some may be missing', loading: 'Loading more', whole: '' } as const

function countText({ items, state, readAt }: Listing<unknown>, { shown, names }: ListingStatusProps): string {
  const loaded = counted(items.length, ...names)
  const count = shown === items.length ? loaded : `${whole(shown)} of ${loaded}`
  if (readAt !== undefined) return count
  if (items.length === 0 && state !== 'more') return ''
  return `${count}. ${partWords[state]}: sorting and filters apply to the loaded rows only.`
}

export function ListingStatus(props: ListingStatusProps) {
  const { used, names, bare = false } = props
  const { state, refusal, readAt } = used.listing.value
  return (
    <>
      <div class="listing-status">
        <span>{countText(used.listing.value, props)}</span>
        {state === 'more' && <Button onClick={used.more}>Load more</Button>}
        {!bare && (
          <span class="end">
            {readAt !== undefined && (
              <>
                Updated <RelativeTime iso={readAt} />{' '}
              </>
            )}
            <Button kind="quiet" busy={state === 'loading'} onClick={used.again}>
              Refresh
            </Button>
          </span>
        )}
      </div>
      {refusal && (
        <Failed
          refusal={refusal}
          again={used.again}
          what={readAt === undefined ? `Some ${names[1]} could not be loaded.` : 'Showing the data loaded before.'}
        />
      )}
    </>
  )
}
