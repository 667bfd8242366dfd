// How much of a listing is shown, and whether that is all of it: an order and a count of a part is not one of the whole.
import type { Listing, UsedListing } from '../listing.ts'
import { counted, whole } from '../numbers.ts'
import { Button } from './button.tsx'
import { Moment } from './moment.tsx'
import { Failed } from './states.tsx'

interface HowMuchProps {
  readonly used: Pick<UsedListing<unknown>, 'listing' | 'again' | 'more'>
  /** of those that are here, so many are shown */
  readonly shown: number
  /** one, and several */
  readonly names: readonly [one: string, many: string]
  /** it is read again together with another listing, and that one says so */
  readonly bare?: boolean
}

function words({ items, state, readAt }: Listing<unknown>, { shown, names }: HowMuchProps): string {
  const here = counted(items.length, ...names)
  const said = shown === items.length ? here : `${whole(shown)} of ${here}`
  if (readAt !== undefined) return said
  if (state === 'more') return `${said}. There are more: order, filter and count are of these.`
  if (items.length === 0) return ''
  if (state === 'failed') return `${said}. There may be more: order, filter and count are of these.`
  return `${said}. More are on their way: order, filter and count are of these.`
}

export function HowMuch(props: HowMuchProps) {
  const { used, names, bare = false } = props
  const { state, refusal, readAt } = used.listing.value
  return (
    <>
      <div class="how-much">
        <span>{words(used.listing.value, props)}</span>
        {state === 'more' && <Button onClick={used.more}>Load more</Button>}
        {!bare && (
          <span class="end">
            {readAt !== undefined && (
              <>
                Read <Moment iso={readAt} />{' '}
              </>
            )}
            <Button kind="quiet" busy={state === 'loading'} onClick={used.again}>
              Read again
            </Button>
          </span>
        )}
      </div>
      {refusal && (
        <Failed
          refusal={refusal}
          again={used.again}
          what={readAt === undefined ? `Not all ${names[1]} could be read.` : 'What is shown is what was read before.'}
        />
      )}
    </>
  )
}
