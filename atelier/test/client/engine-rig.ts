// A service on a real engine, with an account, a key and a base image, for those who call it from outside.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes } from '../../src/accounts/scopes.ts'
import { openCore } from '../../src/core.ts'
import { makeId } from '../../src/ids.ts'
import { openService } from '../../src/service.ts'
import { readSettings, type Settings } from '../../src/settings.ts'
import { baseImage, onEveryEngine, type TestEngine } from '../engines.ts'
import { freePort } from '../../../base/test/free-port.ts'

const observe = () => {}

export interface Served {
  readonly url: string
  readonly key: string
  readonly folder: string
  close(): Promise<void>
}

const config = { command: null, entrypoint: null, workingDir: '/home/u', user: null, labels: {} }
const env = { PATH: '/bin:/usr/bin:/sbin:/usr/sbin' }

interface Furnishing extends Pick<TestEngine, 'engine'> {
  /** hash of the password of the account a@example.org */
  readonly password?: string | undefined
}

/** what an operator does before the first start */
async function furnish(settings: Settings, folder: string, { engine, password }: Furnishing): Promise<string> {
  const core = await openCore(settings, { folder, observe })
  try {
    const account = makeId('acc')
    await core.store.accounts.add({ id: account, email: 'a@example.org', password, createdAt: 1 })
    const times = { createdAt: 1, finishedAt: 1, deletedAt: null }
    const image = { id: makeId('img'), account: null, name: 'base', status: 'ready', error: null, base: null } as const
    const engineId = (await engine.image(baseImage))?.id ?? ''
    await core.store.images.addBase({ ...image, ...times, sizeBytes: 1, config: { ...config, env }, engineId })
    const wish = { account, name: 'k', scopes, expiresAt: null, createdBy: 'operator' }
    return (await core.keys.create(wish, 50)).text
  } finally {
    await core.close()
  }
}

export async function serveOn(
  { engine, socket, instance }: Omit<TestEngine, 'dialect'>,
  password?: string,
): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-client-'))
  const ssh = await freePort()
  const file = { listen: `127.0.0.1:${await freePort()}`, instance, engine: { socket }, store: 'sqlite:atelier.db' }
  const more = { ssh: { listen: `127.0.0.1:${ssh}`, publicPort: ssh }, rate: { perSecond: 0, createsPerSecond: 0 } }
  const settings = readSettings({ ...file, ...more }, {})
  const key = await furnish(settings, folder, { engine, password })
  const service = await openService(settings, { folder, observe })
  return {
    url: await service.listen(),
    key,
    folder,
    async close() {
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}

export const onService = (title: string, work: (at: Served) => Promise<void>) =>
  onEveryEngine(title, async (at) => {
    const served = await serveOn(at)
    try {
      await work(served)
    } finally {
      await served.close()
    }
  })
