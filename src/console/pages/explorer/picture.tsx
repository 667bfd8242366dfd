// A picture that somewhere else is asked for, and only when somebody wants to see it. Its box has its size before.
import { useSignal } from '@preact/signals'
import { Copy } from '../../parts/copy.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { type Desk, showPictures } from './desk.ts'
import type { Json } from './json.ts'
import { type Picture, picturesIn } from './pictures.ts'

interface PictureProps {
  readonly picture: Picture
  /** such as `icon`, or `screenshots 2` */
  readonly name: string
  readonly desk: Desk
}

/** of an address; all of it can be copied */
const seen = 200

const hostOf = (url: string): string => new URL(url).host

function Frame({ picture: { url }, name, desk }: PictureProps) {
  const broken = useSignal(false)
  if (url === undefined) return <p class="soft">Not shown: this is no https address.</p>
  if (broken.value)
    return <p class="soft">It did not come. Such links end after some time: read again for a new one.</p>
  if (!desk.run.value?.shown.has(url))
    return (
      <button
        type="button"
        class="button"
        onClick={() => showPictures(desk, [url])}
        title={`Asks ${hostOf(url)} for it`}
      >
        Show picture<span class="unseen"> {name}</span>
      </button>
    )
  return (
    <img
      src={url}
      alt={name}
      referrerpolicy="no-referrer"
      loading="lazy"
      decoding="async"
      onError={() => (broken.value = true)}
    />
  )
}

const named = (name: string, count: number, i: number): string => (count === 1 ? name : `${name} ${i + 1}`)

interface PicturesProps {
  readonly value: Json | undefined
  readonly name: string
  readonly desk: Desk
}

/** in a row: as small as the row is high */
export function PictureCell({ value, name, desk }: PicturesProps) {
  const pictures = picturesIn(value)
  const urls = pictures.flatMap(({ url }) => (url === undefined ? [] : [url]))
  const shown = desk.run.value?.shown
  if (urls.length > 0 && !urls.some((url) => shown?.has(url)))
    return (
      <button type="button" class="button quiet explorer-show" onClick={() => showPictures(desk, urls)}>
        {urls.length === 1 ? 'Show picture' : `Show ${urls.length} pictures`}
      </button>
    )
  return (
    <span class="explorer-thumbs">
      {pictures.map((picture, i) => (
        <span key={i} class="explorer-thumb">
          <Frame {...{ picture, desk, name: named(name, pictures.length, i) }} />
        </span>
      ))}
    </span>
  )
}

/** with room to look at it, and its address to copy */
export function PictureList({ value, name, desk }: PicturesProps) {
  const pictures = picturesIn(value)
  return (
    <ul class="explorer-pictures">
      {pictures.map((picture, i) => (
        <li key={i}>
          <div class="explorer-picture">
            <Frame {...{ picture, desk, name: named(name, pictures.length, i) }} />
          </div>
          <p class="explorer-address mono">
            <Foreign text={picture.told.slice(0, seen)} />
          </p>
          <Copy text={() => picture.url ?? picture.told} label="Copy address" />
        </li>
      ))}
    </ul>
  )
}
