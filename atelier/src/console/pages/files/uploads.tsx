// The uploads of the page, with what became of each.
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { share } from '../../../../../base/console/format.ts'
import { mebibytes } from '../../units.ts'
import type { Upload, UploadQueue } from './upload-queue.ts'

const texts = { waiting: 'waits', done: 'uploaded' } as const

function StateText({ upload: { state, sentBytes, file, why } }: { readonly upload: Upload }) {
  if (state === 'sending')
    return (
      <span class="soft">
        {share(sentBytes, file.size)} of {mebibytes(file.size)}
      </span>
    )
  return state === 'exists' || state === 'failed' ? (
    <UntrustedText text={why ?? ''} />
  ) : (
    <span class="soft">{texts[state]}</span>
  )
}

function Row({ upload, queue }: { readonly upload: Upload; readonly queue: UploadQueue }) {
  return (
    <li class="files-upload">
      <UntrustedText text={upload.name} />
      {upload.state === 'sending' && <progress max={upload.file.size} value={upload.sentBytes} aria-label="Sent" />}
      <StateText upload={upload} />
      {upload.state === 'exists' && <Button onClick={() => queue.replace(upload)}>Replace it</Button>}
    </li>
  )
}

export function Uploads({ queue }: { readonly queue: UploadQueue }) {
  const all = queue.all.value
  if (all.length === 0) return null
  const left = all.filter(({ state }) => state === 'waiting' || state === 'sending').length
  return (
    <section class="files-uploads" aria-label="Uploads">
      <ul>
        {all.map((upload) => (
          <Row key={upload.at} upload={upload} queue={queue} />
        ))}
      </ul>
      <p role="status">{left > 0 ? `${all.length - left} of ${all.length} done.` : 'All uploads are over.'}</p>
      {left === 0 && <Button onClick={() => queue.forget()}>Clear</Button>}
    </section>
  )
}
