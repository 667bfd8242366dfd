// Pictures of a response: loaded from their host only on request, in a box that has its size before.
import { useSignal } from '@preact/signals'
import { Button, Copy } from '../../../../../base/console/parts/controls.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { ExactJson } from './exact-json.ts'
import { picturesIn, type RemotePicture } from './pictures.ts'
import { showPictures, type WorkbenchState } from './workbench-state.ts'

interface PictureProps {
  readonly picture: RemotePicture
  /** such as `icon`, or `screenshots 2` */
  readonly name: string
  readonly workbench: WorkbenchState
}

function Picture({ picture: { url }, name, workbench }: PictureProps) {
  const isBroken = useSignal(false)
  if (url === undefined) return <p class="soft">Not shown: not an https address.</p>
  if (isBroken.value) return <p class="soft">Could not be loaded. The link may have expired: send the request again.</p>
  if (!workbench.run.value?.shown.has(url))
    return (
      <Button title={`Loads it from ${new URL(url).host}`} onClick={() => showPictures(workbench, [url])}>
        Show picture<span class="unseen"> {name}</span>
      </Button>
    )
  return (
    <img
      src={url}
      alt={name}
      referrerpolicy="no-referrer"
      loading="lazy"
      decoding="async"
      onError={() => (isBroken.value = true)}
    />
  )
}

interface PicturesProps {
  readonly value: ExactJson | undefined
  readonly name: string
  readonly workbench: WorkbenchState
}

const named = ({ value, name }: PicturesProps) => {
  const pictures = picturesIn(value)
  return pictures.map((picture, i) => ({ picture, name: pictures.length === 1 ? name : `${name} ${i + 1}` }))
}

/** in a table row, as small as the row is high */
export function PictureCell(props: PicturesProps) {
  const { workbench } = props
  const pictures = named(props)
  const urls = pictures.flatMap(({ picture: { url } }) => url ?? [])
  const shown = workbench.run.value?.shown
  if (urls.length > 0 && !urls.some((url) => shown?.has(url)))
    return (
      <button type="button" class="button quiet explorer-show" onClick={() => showPictures(workbench, urls)}>
        {urls.length === 1 ? 'Show picture' : `Show ${urls.length} pictures`}
      </button>
    )
  return (
    <span class="explorer-thumbs">
      {pictures.map(({ picture, name }) => (
        <span key={name} class="explorer-thumb">
          <Picture picture={picture} name={name} workbench={workbench} />
        </span>
      ))}
    </span>
  )
}

/** characters of an address; all of it can be copied */
const most = 200

/** large, with the addresses to copy */
export function PictureList(props: PicturesProps) {
  return (
    <ul class="explorer-pictures">
      {named(props).map(({ picture, name }) => (
        <li key={name}>
          <div class="explorer-picture">
            <Picture picture={picture} name={name} workbench={props.workbench} />
          </div>
          <p class="explorer-address mono">
            <UntrustedText text={picture.raw.slice(0, most)} />
          </p>
          <Copy text={() => picture.url ?? picture.raw} label="Copy address" />
        </li>
      ))}
    </ul>
  )
}
