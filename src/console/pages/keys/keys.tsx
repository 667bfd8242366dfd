// The page of keys: all of them, the one that the address names, and the making of another.
import { type Signal, useSignal } from '@preact/signals'
import type { Connection, IssuedKey, Key } from '../../answers.ts'
import { nowMs } from '../../clock.ts'
import { type UsedListing, useListing } from '../../listing.ts'
import { Button } from '../../parts/button.tsx'
import { HowMuch } from '../../parts/how-much.tsx'
import { tell } from '../../parts/notices.tsx'
import { plainText } from '../../parts/foreign.tsx'
import { Empty, Waiting } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { go, place, rename } from '../../router.ts'
import { columns } from './columns.tsx'
import { Create } from './create.tsx'
import type { Surroundings } from './facts.tsx'
import './keys.css'
import { Lost } from './lost.tsx'
import { Narrow } from './narrow.tsx'
import { narrowed, type Narrowing, standard } from './narrowing.ts'
import { KeyPanel } from './panel.tsx'

const newestFirst = { column: 'Created', down: true }

interface ListProps {
  readonly keys: readonly Key[]
  readonly used: UsedListing<Key>
  readonly narrowing: Signal<Narrowing>
  readonly openId: string | undefined
  readonly onCreate: () => void
}

function List({ keys, used, narrowing, openId, onCreate }: ListProps) {
  const { items, state } = used.listing.value
  if (keys.length > 0)
    return (
      <Table
        label="Keys"
        columns={columns}
        items={keys}
        first={newestFirst}
        idOf={({ id }) => id}
        isChosen={({ id }) => id === openId}
        onOpen={({ id }) => go('/keys', { id })}
      />
    )
  if (state === 'loading') return <Waiting rows={8} what="keys" />
  if (items.length === 0 && state === 'whole')
    return (
      <Empty title="There is no key yet.">
        <p>Whoever reads through Vitrine sends a key. It says what he may see.</p>
        <Button kind="main" onClick={onCreate}>
          Create the first key
        </Button>
      </Empty>
    )
  if (items.length === 0) return null
  return (
    <Empty title="No key is like that.">
      <Button onClick={() => (narrowing.value = { ...standard, state: 'all' })}>Show all keys</Button>
    </Empty>
  )
}

function surroundingsOf(keys: UsedListing<Key>, connections: UsedListing<Connection>): Surroundings {
  const { items, readAt } = keys.listing.value
  const known = connections.listing.value
  return {
    connections: known.readAt === undefined ? undefined : new Set(known.items.map(({ id }) => id)),
    heirsOf: (id) => items.filter(({ replaces }) => replaces === id),
    nameOf: (id) => items.find((one) => one.id === id)?.name,
    areAllHere: readAt !== undefined,
  }
}

/** what is kept of a key that was just made: all but its text */
function shownOf({ key, ...shown }: IssuedKey): Key {
  void key
  return shown
}

export default function Keys() {
  const used = useListing<Key>('/keys')
  const known = useListing<Connection>('/connections')
  const narrowing = useSignal(standard)
  const creating = useSignal(false)
  const openId = place.value.query.get('id') ?? undefined
  const { items } = used.listing.value
  const keys = narrowed(items, narrowing.value, nowMs())
  const create = () => void (creating.value = true)
  const onMade = (made: IssuedKey) => {
    used.put(shownOf(made))
    tell(`The key ${plainText(made.name)} is made.`)
  }
  return (
    <>
      <Narrow narrowing={narrowing}>
        <Button kind="main" onClick={create}>
          Create key
        </Button>
      </Narrow>
      <Lost />
      <HowMuch used={used} shown={keys.length} names={['key', 'keys']} />
      <div class="beside">
        <div>
          <List {...{ keys, used, narrowing, openId, onCreate: create }} />
        </div>
        {openId !== undefined && (
          <KeyPanel
            id={openId}
            listed={items.find(({ id }) => id === openId)}
            surroundings={surroundingsOf(used, known)}
            onRead={used.put}
            onMade={(made) => used.put(shownOf(made))}
            onUnknown={used.again}
            onClose={() => rename({})}
          />
        )}
      </div>
      {creating.value && (
        <Create known={known} onMade={onMade} onUnknown={used.again} onClose={() => (creating.value = false)} />
      )}
    </>
  )
}
