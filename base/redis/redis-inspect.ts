// One look at a Redis or Valkey server for the doctor. It leaves nothing behind but a key that expires within a second.
import { redisAddress } from './redis-address.ts'
import { RedisClient, redisErrorCode } from './redis-client.ts'
import { checkWritable } from './redis-write-check.ts'

const patienceMs = 3_000

/** `reason`: why it could not be asked, without the password */
export interface RedisInspection {
  readonly place: string
  readonly code?: string
  readonly reason?: string
  readonly info?: Readonly<Record<string, string>>
  /** why replicas cannot use it: it runs no scripts, or takes no writes */
  readonly refusal?: string
}

const readInfo = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+):([^\r\n]*)/gm)].map(([, name = '', value = '']) => [name, value]))

export async function inspectRedis(url: string, proofName: string, signal: AbortSignal): Promise<RedisInspection> {
  const address = redisAddress(url)
  const { place, words } = address
  const client = new RedisClient(address, { connectMs: patienceMs, reconnects: false })
  let firstError: Error | undefined
  client.on('error', (error) => (firstError ??= error))
  const end = () => client.disconnect()
  signal.addEventListener('abort', end)
  const late = setTimeout(() => {
    firstError ??= Object.assign(new Error(`it has not answered for ${patienceMs / 1_000} seconds`), {
      code: 'no_answer',
    })
    end()
  }, patienceMs)
  try {
    await client.connect()
    late.refresh()
    await client.call('PING')
    const info = await client.call('INFO').then(
      (text) => readInfo(String(text)),
      () => undefined,
    )
    const refused = await checkWritable(client, proofName).then(
      () => undefined,
      (error: Error) => error,
    )
    return { place, ...(info && { info }), ...(refused && { refusal: words(refused), code: redisErrorCode(refused) }) }
  } catch (error) {
    // the first error says most, such as a wrong password; those after it only that the connection closed
    const first = firstError ?? error
    return { place, reason: words(first), code: redisErrorCode(first) }
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', end)
    end()
  }
}
