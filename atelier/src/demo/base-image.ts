// A base image of one static busybox: its tools, two users and the usual folders. Made from a tar; no registry is asked.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { EngineClient } from '../engine/client.ts'
import { expectOk } from '../engine/link.ts'
import { type TarItem, writeTar } from '../files/write-tar.ts'

const modifiedAt = new Date(0)

const directory = (path: string, mode = 0o755): TarItem => ({
  path,
  type: 'directory',
  mode,
  size: 0,
  modifiedAt,
  linkTarget: null,
  body: null,
})
const file = (path: string, body: Buffer, mode = 0o644): TarItem => ({
  ...directory(path, mode),
  type: 'file',
  size: body.length,
  body,
})
const link = (path: string, linkTarget: string): TarItem => ({ ...directory(path, 0o777), type: 'symlink', linkTarget })

const folders = ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'sbin', 'sys', 'usr', 'usr/bin', 'usr/sbin', 'var']
const passwd = 'root:x:0:0:root:/root:/bin/sh\nu:x:1000:1000:u:/home/u:/bin/sh\n'
const group = 'root:x:0:\nu:x:1000:\n'

function rootTree(busybox: string): readonly TarItem[] {
  const tools = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')
  return [
    ...folders.map((path) => directory(path)),
    ...['tmp', 'var/tmp'].map((path) => directory(path, 0o1777)),
    file('etc/passwd', Buffer.from(passwd)),
    file('etc/group', Buffer.from(group)),
    file('bin/busybox', readFileSync(busybox), 0o755),
    ...tools.filter((name) => name !== 'busybox').map((name) => link(`bin/${name}`, 'busybox')),
  ]
}

/** the tar of an image with a shell, as a user with a home of its own sees it */
async function* shellTar(busybox: string) {
  // every tar ends with two blocks of zeros, so one part follows the other without its end
  const root: Buffer[] = []
  for await (const piece of writeTar(rootTree(busybox), { uid: 0, gid: 0 })) root.push(Buffer.from(piece))
  yield* root.slice(0, -1)
  yield* writeTar([directory('home/u')], { uid: 1000, gid: 1000 })
}

/** busybox answers to the name it is called by: as `true` it is one program and no shell */
const shelllessTar = (busybox: string) =>
  writeTar([directory('bin'), file('bin/true', readFileSync(busybox), 0o755)], { uid: 0, gid: 0 })

async function importTar(
  client: EngineClient,
  repo: string,
  tar: AsyncIterable<Uint8Array>,
  changes: readonly string[],
) {
  const query = new URLSearchParams({ fromSrc: '-' })
  for (const change of changes) query.append('changes', change)
  const wish = { method: 'POST', path: `/images/create?${query}`, timeoutMs: 60_000 } as const
  const reply = expectOk(await client.upload(wish, Readable.from(tar)))
  const id = /sha256:[0-9a-f]{64}/.exec(reply.text)?.[0]
  if (id === undefined) throw new Error('The engine did not import the base image.')
  // Podman drops the tag of an import
  const tag = { method: 'POST', path: `/images/${id}/tag`, query: { repo, tag: '1' }, timeoutMs: 60_000 } as const
  expectOk(await client.call(tag))
}

export const shellImage = 'localhost/base-busybox:1'

/** `localhost/base-busybox:1` with a shell, and for tests `localhost/base-noshell:1` without one */
export async function makeBaseImages(socket: string, busybox: string, withShellless = false) {
  const client = new EngineClient(socket)
  const env = 'ENV PATH=/bin:/usr/bin:/sbin:/usr/sbin'
  try {
    const changes = [env, 'WORKDIR /home/u', 'CMD ["/bin/sh"]']
    await importTar(client, 'localhost/base-busybox', shellTar(busybox), changes)
    if (withShellless) await importTar(client, 'localhost/base-noshell', shelllessTar(busybox), ['CMD ["/bin/true"]'])
  } finally {
    client.close()
  }
}
