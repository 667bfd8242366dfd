// The volume that a read-only container may write to belongs to the container's user. Podman sees to it by itself; Docker makes
// it root's when the image lacks the directory, and lets no archive change that once the root is read-only.
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import { putArchive } from './archive.ts'
import { directoryTar } from './small-tar.ts'
import { expectOk, type EngineLink, limits } from './link.ts'
import type { ContainerTemplate } from './port.ts'
import { volumeHolderBody, writableVolume } from './template.ts'

async function removeHolder(link: EngineLink, name: string) {
  const wish = {
    method: 'DELETE',
    path: `/containers/${name}`,
    query: { force: '1' },
    timeoutMs: limits.change,
  } as const
  const reply = await link.client.call(wish)
  if (reply.status !== 404) expectOk(reply)
}

/** `create` may be given a container to take its volume from, which is gone afterwards */
export async function withOwnVolume(
  link: EngineLink,
  template: ContainerTemplate,
  create: (volumesFrom?: string) => Promise<void>,
) {
  const volume = writableVolume(template)
  // anyone may write to /tmp
  if (volume === undefined || volume === '/tmp' || (await link.isPodman())) return create()
  const name = `${template.id}-volume`
  const body = volumeHolderBody(template.image, volume, link.marks(name, template.kind))
  const wish = { method: 'POST', path: '/containers/create', query: { name }, body, timeoutMs: limits.change } as const
  // what is refused here is refused for the container itself, with a reason
  if ((await link.client.call(wish)).status >= 400) return create()
  try {
    const [uid = 0, gid = uid] = template.user.split(':').map(Number)
    const owned = directoryTar(`${posix.basename(volume)}/`, uid, gid)
    await putArchive(link, name, posix.dirname(volume), Readable.from([owned]))
    await create(name)
  } finally {
    await removeHolder(link, name)
  }
}
