// What a request carries: JSON, a file, a tar, or a build context behind its description.
import type { Content } from './types.ts'

/** the body of a request; `make` gives a fresh one for each attempt */
export interface Sent {
  readonly type: string
  readonly make: () => unknown
  readonly isStream: boolean
  /** known where it is no stream */
  readonly sizeBytes: number | undefined
}

const isStream = (content: Content): content is ReadableStream<Uint8Array> => content instanceof ReadableStream

/** of a runtime that sends the length of a stream only if the stream itself knows it */
type FixedLength = new (length: number) => TransformStream<Uint8Array, Uint8Array>
const fixedLength = (): FixedLength | undefined =>
  (globalThis as unknown as { readonly FixedLengthStream?: FixedLength }).FixedLengthStream

export const sendJson = (value: unknown): Sent => ({
  type: 'application/json',
  make: () => JSON.stringify(value),
  isStream: false,
  sizeBytes: undefined,
})

/** `sizeBytes`: of a stream, whose length cannot be seen */
export function sendContent(type: string, content: Content, sizeBytes: number | undefined): Sent {
  if (!isStream(content)) {
    // a Blob would replace the type by its own
    const body = content instanceof Blob ? content.slice(0, content.size, type) : content
    return { type, make: () => body, isStream: false, sizeBytes: undefined }
  }
  const Fixed = fixedLength()
  const make = () => (Fixed && sizeBytes !== undefined ? content.pipeThrough(new Fixed(sizeBytes)) : content)
  return { type, make, isStream: true, sizeBytes }
}

/** two parts, `spec` and `context`, as the service reads them */
export function sendForm(spec: object, context: Content): Sent {
  const boundary = `atelier-${crypto.randomUUID()}`
  const type = `multipart/form-data; boundary=${boundary}`
  const head = (name: string, media: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${media}\r\n\r\n`
  const before = `${head('spec', 'application/json')}${JSON.stringify(spec)}\r\n${head('context', 'application/x-tar')}`
  const after = `\r\n--${boundary}--\r\n`
  if (!isStream(context)) {
    const whole = new Blob([before, context as never, after])
    return { type, make: () => whole, isStream: false, sizeBytes: undefined }
  }
  const encoder = new TextEncoder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    flush: (controller) => controller.enqueue(encoder.encode(after)),
  })
  const make = () => {
    // a failure of the context fails the body, too
    context.pipeTo(writable).catch(() => {})
    return readable
  }
  return { type, make, isStream: true, sizeBytes: undefined }
}
