// Makes images: of a build's container, of nothing, of an image of the operator. All but the empty one are given the resident.
import { Readable } from 'node:stream'
import { createContainer, inTries, removeContainer, stopContainer } from './containers.ts'
import { findImage, markedId, reference, repositoryOf, tagImage } from './images.ts'
import { containerFailure, type EngineLink, expectOk, labels, limits } from './link.ts'
import { EngineError } from './port.ts'
import { isCurrent, putResident } from './resident.ts'
import { directoryTar } from './small-tar.ts'
import { commitBody, commitChanges } from './template.ts'

export async function commitContainer(
  link: EngineLink,
  container: string,
  imageId: string,
  ownMarks: Readonly<Record<string, string>> = link.marks(imageId, 'image'),
): Promise<string> {
  // Podman writes into a running container through the host's kernel, which does not see the files of gVisor
  if ((await link.info()).hasOwnKernel) await stopContainer(link, container, 0)
  return commitAsItIs(link, container, imageId, { ...ownMarks, ...(await putResident(link, container)) })
}

/** a later step finds what the steps before it made, so the resident stays out of it */
export const checkpointContainer = (link: EngineLink, container: string, imageId: string): Promise<string> =>
  commitAsItIs(link, container, imageId, link.marks(imageId, 'checkpoint'))

async function commitAsItIs(
  link: EngineLink,
  container: string,
  imageId: string,
  marks: Readonly<Record<string, string>>,
): Promise<string> {
  const query: Record<string, string> = { container, repo: repositoryOf(link), tag: imageId }
  if (await link.isPodman()) query['changes'] = commitChanges(marks)
  const wish = { method: 'POST', path: '/commit', query, body: commitBody(marks), timeoutMs: limits.image } as const
  const reply = await link.client.call(wish)
  if (reply.status >= 400) throw await containerFailure(link, container, reply)
  return markedId(link, imageId)
}

/** Podman drops the tag of an import: it is given in a second call */
export async function createEmptyImage(link: EngineLink, imageId: string): Promise<string> {
  const wish = { method: 'POST', path: '/images/create', query: { fromSrc: '-' }, timeoutMs: limits.image } as const
  const reply = expectOk(await link.client.upload(wish, Readable.from([directoryTar('./', 0, 0)])))
  const made = /"status":"(sha256:[0-9a-f]{64})"/.exec(reply.text)?.[1]
  if (made === undefined) throw new EngineError('failed', reply.text.slice(0, 1000))
  await tagImage(link, made, imageId)
  return markedId(link, imageId)
}

/** what the engine takes over from the container is emptied: a base image is the operator's, and known by its name alone */
const noMarks = Object.fromEntries(Object.values(labels).map((name) => [name, '']))

/** of a container that never starts, so its command is never looked for */
async function adoptWithResident(link: EngineLink, image: string, imageId: string) {
  const limitsOfNothing = { cpu: 1, memoryMiB: 64, pids: 16, diskMiB: 64 }
  const place = { id: imageId, kind: 'build', image, command: ['/'], env: {}, workingDir: '/', user: '0:0' } as const
  await createContainer(link, { ...place, limits: limitsOfNothing, readOnlyRootfs: false, network: 'none' })
  try {
    return await commitContainer(link, imageId, imageId, noMarks)
  } finally {
    await removeContainer(link, imageId, false)
  }
}

/** `no_place`: the container went while the resident was written into it */
const adoptInTries = (link: EngineLink, image: string, imageId: string): Promise<string> =>
  inTries(['container_gone', 'no_place'], () => adoptWithResident(link, image, imageId))

export async function adoptImage(link: EngineLink, wanted: string, imageId: string): Promise<string> {
  const found = reference.test(wanted) ? await findImage(link, wanted) : undefined
  if (!found) throw new EngineError('image_gone')
  if (!(await isCurrent(link, found.labels))) return adoptInTries(link, found.id, imageId)
  await tagImage(link, wanted, imageId)
  return markedId(link, imageId)
}
