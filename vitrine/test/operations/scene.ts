// A service with every metric: over PostgreSQL and Redis, with a connection and callers of each kind.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { ask, type Installation, makeInstallation, operatorToken } from '../stored-connections/program.ts'
import { freshDatabase } from '../../../base/test/postgres.ts'
import { redisUrl } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'

export interface Scene {
  readonly installation: Installation
  /** reads that succeed, are repeated, wrong, refused and rate-limited */
  traffic(): Promise<void>
  metrics(): Promise<string>
  close(): Promise<void>
}

const account = { keyId: 'KEY', issuerId: 'issuer' }

export async function startScene(): Promise<Scene> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sandbox = await startSandbox({ accounts: [{ ...account, publicKey }] })
  const database = await freshDatabase()
  const installation = await makeInstallation(sandbox.url, {
    store: database.url,
    redis: redisUrl,
    cacheSeconds: 60,
    connections: { studio: { ...account, privateKeyFile: 'key.p8' } },
  })
  const { folder, url, operatorUrl } = installation
  const close = async () => {
    await installation.close()
    await database.drop()
    await sandbox.close()
  }
  try {
    writeFileSync(join(folder, 'key.p8'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    await installation.start()
    // its ports open one after the other
    await until(() =>
      ask(operatorUrl, '/readyz', '').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    const make = async (wish: object): Promise<string> => {
      const body = { name: 'k', connections: ['*'], ...wish }
      return (await ask(operatorUrl, '/operator/v1/keys', operatorToken, { method: 'POST', body })).json.key
    }
    const [key, slow] = [await make({}), await make({ perMinute: 1 })]
    const read = (path: string, by = key) => ask(url, `/v1/connections/studio${path}`, by)
    return {
      installation,
      close,
      async traffic() {
        await Promise.all([1, 2, 3, 4].map((limit) => read(`/apps?limit=${limit}`)))
        for (const path of ['/apps', '/apps', '/apps?nmae=x', '/apps/none/versions/ids']) await read(path)
        for (let times = 0; times < 2; times++) await read('/apps', slow)
        await read('/apps', 'vtr_test_wrong')
      },
      async metrics() {
        const headers = { authorization: `Bearer ${operatorToken}` }
        return await (await fetch(`${operatorUrl}/metrics`, { headers })).text()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
