// Images. One of this instance is marked by a name of its own, `localhost/atelier/<instance>` with our id as the tag.
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type EngineReply, type EngineRequest, readJson, refusalOf } from './client.ts'
import { type EngineLink, expectOk, limits } from './link.ts'
import { EngineError, type EngineImage } from './port.ts'

export const reference = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._/:@-]{0,500}$/

export const repositoryOf = ({ instance }: EngineLink) => `localhost/atelier/${instance}`
const nameOf = (link: EngineLink, imageId: string) => `${repositoryOf(link)}:${imageId}`

const busyPausesMs = [20, 50, 100, 200, 400]

interface RawImage {
  readonly Id: string
  readonly Size: number
  readonly Config: {
    readonly Env?: readonly string[] | null
    readonly Cmd?: readonly string[] | null
    readonly Entrypoint?: readonly string[] | null
    readonly WorkingDir?: string
    readonly User?: string
    readonly Labels?: Readonly<Record<string, string>> | null
  } | null
}

const list = (words: readonly string[] | null | undefined) => (words && words.length > 0 ? words : null)

/** Podman fails to look at images while another one is being removed. */
async function askAgain(wish: EngineRequest, { client }: EngineLink): Promise<EngineReply> {
  for (const waitMs of busyPausesMs) {
    const reply = await client.call(wish)
    if (reply.status < 500) return reply
    await pause(waitMs)
  }
  return client.call(wish)
}

export async function findImage(link: EngineLink, wanted: string): Promise<EngineImage | undefined> {
  if (!reference.test(wanted)) return undefined
  const reply = await askAgain({ method: 'GET', path: `/images/${wanted}/json`, timeoutMs: limits.look }, link)
  if (reply.status === 404) return undefined
  const { Id, Size, Config } = readJson(expectOk(reply)) as RawImage
  return {
    id: Id,
    sizeBytes: Size,
    env: Config?.Env ?? [],
    command: list(Config?.Cmd),
    entrypoint: list(Config?.Entrypoint),
    workingDir: Config?.WorkingDir || '/',
    user: Config?.User ?? '',
    labels: Config?.Labels ?? {},
  }
}

export async function listImages(link: EngineLink): Promise<ReadonlyMap<string, string>> {
  const repository = repositoryOf(link)
  const query = { filters: JSON.stringify({ reference: [`${repository}:*`] }) }
  const reply = await askAgain({ method: 'GET', path: '/images/json', query, timeoutMs: limits.list }, link)
  const images = new Map<string, string>()
  for (const { Id, RepoTags } of readJson(expectOk(reply)) as { Id: string; RepoTags: readonly string[] | null }[])
    for (const tag of RepoTags ?? [])
      if (tag.startsWith(`${repository}:`)) images.set(tag.slice(repository.length + 1), Id)
  return images
}

/** the engine's full id of an image of ours: what it answers to a change has another form on each engine */
export async function markedId(link: EngineLink, imageId: string) {
  const image = await findImage(link, nameOf(link, imageId))
  if (!image) throw new EngineError('image_gone')
  return image.id
}

export async function tagImage(link: EngineLink, wanted: string, imageId: string) {
  const query = { repo: repositoryOf(link), tag: imageId }
  const reply = await link.client.call({
    method: 'POST',
    path: `/images/${wanted}/tag`,
    query,
    timeoutMs: limits.change,
  })
  if (reply.status === 404) throw refusalOf(reply, 'image_gone')
  expectOk(reply)
}

export async function loadImages(link: EngineLink, archive: Readable): Promise<readonly string[]> {
  const wish = { method: 'POST', path: '/images/load', query: { quiet: '1' }, timeoutMs: limits.load } as const
  const reply = expectOk(await link.client.upload(wish, archive))
  const references: string[] = []
  for (const line of reply.text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const { stream, error } = JSON.parse(line) as { stream?: string; error?: string }
    // Docker answers 200 and says that it failed in the body
    if (error !== undefined) throw new EngineError('failed', error)
    const loaded = /^Loaded image(?: ID|\(s\))?: (.+)$/m.exec(stream ?? '')?.[1]
    if (loaded !== undefined) references.push(...loaded.split(','))
  }
  return references
}

/** By its name alone and never by force, so that an image that something else stands on keeps its layers. */
export async function removeImage(link: EngineLink, imageId: string) {
  const path = `/images/${nameOf(link, imageId)}`
  const reply = await link.client.call({ method: 'DELETE', path, timeoutMs: limits.change })
  if (reply.status < 400 || reply.status === 404) return
  throw refusalOf(reply, reply.status === 409 ? 'image_in_use' : 'failed')
}
