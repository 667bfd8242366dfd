// Files on their way into a container: one after another, each with how much of it has been sent.
import { type Signal, signal } from '@preact/signals'
import { queryOf, sessionFields } from '../../../../../base/console/api.ts'
import { asRefusal, refusalOf, unreachable } from '../../../../../base/console/refusal.ts'
import { pathOf } from './entry-text.tsx'

export interface Upload {
  readonly at: number
  readonly name: string
  readonly folder: string
  readonly file: File
  readonly sentBytes: number
  readonly state: 'waiting' | 'sending' | 'done' | 'exists' | 'failed'
  readonly why?: string
}

export interface UploadQueue {
  readonly all: Signal<readonly Upload[]>
  add(files: readonly File[], folder: string): void
  /** one whose name was taken */
  replace(upload: Upload): void
  forget(): void
  close(): void
}

interface Sending {
  readonly replaces: boolean
  readonly signal: AbortSignal
  readonly sent: (bytes: number) => void
}

/** by XMLHttpRequest: `fetch` does not tell how much was sent. Throws an ApiRefusal */
const put = (containerId: string, { folder, name, file }: Upload, { replaces, signal: over, sent }: Sending) =>
  new Promise<void>((ok, fail) => {
    const request = new XMLHttpRequest()
    const query = queryOf({ containerId, path: pathOf(folder, name), ...(!replaces && { ifAbsent: 'true' }) })
    request.open('PUT', `/containers/files${query}`)
    const fields = { ...sessionFields(), 'content-type': 'application/octet-stream' }
    for (const [field, value] of Object.entries(fields)) request.setRequestHeader(field, value)
    request.upload.addEventListener('progress', ({ loaded }) => sent(loaded))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      if (status === 200) ok()
      else fail(refusalOf(status, responseText, request.getResponseHeader('retry-after')))
    })
    for (const type of ['error', 'abort'] as const) request.addEventListener(type, () => fail(unreachable()))
    over.addEventListener('abort', () => request.abort())
    request.send(file)
  })

/** `changed` is called with the folder in which a file has come */
export function createUploads(containerId: string, changed: (folder: string) => void): UploadQueue {
  const all = signal<readonly Upload[]>([])
  const over = new AbortController()
  const replacing = new Set<number>()
  let count = 0
  let isAtWork = false

  const note = (at: number, change: Partial<Upload>) =>
    void (all.value = all.peek().map((one) => (one.at === at ? { ...one, ...change } : one)))

  async function sendOne(upload: Upload) {
    const { at, folder } = upload
    note(at, { state: 'sending', sentBytes: 0 })
    try {
      const sent = (sentBytes: number) => note(at, { sentBytes })
      await put(containerId, upload, { replaces: replacing.has(at), signal: over.signal, sent })
      note(at, { state: 'done' })
      changed(folder)
    } catch (error) {
      const { code, message } = asRefusal(error)
      note(at, { state: code === 'file_exists' ? 'exists' : 'failed', why: message })
    }
  }

  async function work() {
    if (isAtWork) return
    isAtWork = true
    for (;;) {
      const next = all.peek().find(({ state }) => state === 'waiting')
      if (!next || over.signal.aborted) break
      await sendOne(next)
    }
    isAtWork = false
  }

  return {
    all,
    add(files, folder) {
      const added = files.map((file): Upload => ({
        at: count++,
        name: file.name,
        folder,
        file,
        sentBytes: 0,
        state: 'waiting',
      }))
      all.value = [...all.peek(), ...added]
      void work()
    },
    replace({ at }) {
      replacing.add(at)
      note(at, { state: 'waiting' })
      void work()
    },
    forget: () => void (all.value = all.peek().filter(({ state }) => state === 'waiting' || state === 'sending')),
    close: () => over.abort(),
  }
}
