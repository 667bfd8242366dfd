import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { LightAbort } from '../../../base/core/abort.ts'
import { EngineClient } from '../../src/engine/client.ts'
import { labels } from '../../src/engine/link.ts'
import { createFiles } from '../../src/files/files.ts'
import { baseImage, onEveryEngine, shell, type TestEngine, uniqueId } from '../engines.ts'
import { refusal, usual, usualTarget } from '../files/rig.ts'
import { file, tar } from '../files/tars.ts'

const timeoutMs = 30_000

const size = 'size=256k,mode=1777'

/** A running container in which /full holds 256 KiB at most. Docker puts a file below a tmpfs, Podman sizes no such volume. */
async function startSmall({ instance, dialect }: TestEngine, client: EngineClient) {
  const [id, volume] = [uniqueId('ct'), uniqueId('full')]
  const isPodman = dialect === 'podman'
  const post = async (path: string, body: object) => {
    const { status, text } = await client.call({ method: 'POST', path, body, timeoutMs })
    assert.ok(status < 300, `${path}: ${text}`)
  }
  if (!isPodman)
    await post('/volumes/create', { Name: volume, DriverOpts: { type: 'tmpfs', device: 'tmpfs', o: size } })
  const full = isPodman
    ? { Tmpfs: { '/full': size } }
    : { Mounts: [{ Type: 'volume', Source: volume, Target: '/full' }] }
  await post(`/containers/create?name=${id}`, {
    Image: baseImage,
    Entrypoint: isPodman ? ['/run/podman-init', '-P'] : ['/bin/sleep', '1000'],
    Labels: { [labels.instance]: instance, [labels.id]: id, [labels.kind]: 'container' },
    HostConfig: { Init: true, NetworkMode: 'none', ...full },
  })
  await post(`/containers/${id}/start`, {})
  return { id, volume }
}

onEveryEngine('a file or a tree for which there is no space is told as a full disk', async (at) => {
  const { engine, socket } = at
  const client = new EngineClient(socket)
  const { id, volume } = await startSmall(at, client)
  try {
    const files = createFiles({ engine, limits: usual })
    const signal = new LightAbort()
    const target = (path: string) => ({ ...usualTarget, container: id, path })
    const options = { mode: 0o644, createParents: false, ifAbsent: false }
    const zeros = (bytes: number) => Readable.from([Buffer.alloc(bytes)])
    for (const bytes of [500_000, 6_000_000])
      await assert.rejects(files.putFile(target('/full/f'), zeros(bytes), bytes, options, signal), refusal('disk_full'))
    const tree = tar(file('a', Buffer.alloc(500_000)))
    await assert.rejects(files.putTree(target('/full'), Readable.from([tree]), { createParents: false }, signal), refusal('disk_full')) // prettier-ignore
    // what fits is taken, and the rest of the container has its space
    await shell(engine, id, 'rm -rf /full/*', { user: '0:0' })
    await files.putFile(target('/full/f'), zeros(50_000), 50_000, options, signal)
    await files.putFile(target('/tmp/f'), zeros(500_000), 500_000, options, signal)
  } finally {
    await engine.remove(id)
    await client.call({ method: 'DELETE', path: `/volumes/${volume}?force=1`, timeoutMs })
    client.close()
  }
})
