// Replicas as processes behind a balancer, over a PostgreSQL and a Redis that can be killed and a platform that counts, with a
// proxy between each replica and each of them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePair, masterKeys, operatorToken } from '../stored-connections/program.ts'
import { type Balancer, startBalancer } from '../../../base/test/balancer.ts'
import { type Canary, pemCanaries, secretCanaries } from '../support/canaries.ts'
import { type OwnRedis, ownRedis } from '../../../base/test/redis.ts'
import { ask, type Told } from './request.ts'
import { type OwnPostgres, ownPostgres } from './own-postgres.ts'
import { type Platform, type PlatformOptions, startPlatform } from './platform.ts'
import { makeReplica, type Replica } from './replica.ts'

export interface ClusterOptions {
  readonly replicas?: number
  readonly redis?: boolean
  readonly platform?: PlatformOptions
  readonly settings?: Readonly<Record<string, unknown>>
  /** further modules to preload in each replica */
  readonly preloads?: readonly string[]
}

export interface Cluster {
  readonly replicas: readonly Replica[]
  readonly balancer: Balancer
  readonly postgres: OwnPostgres
  readonly redis: OwnRedis | undefined
  readonly platform: Platform
  /** values that no log may contain */
  readonly canaries: Canary[]
  /** sends to the operator endpoint of one replica */
  act(replica: Replica, method: string, path: string, body?: object): Promise<Told>
  /** creates a facade key at the first replica */
  issue(more?: object): Promise<{ id: string; key: string }>
  close(): Promise<void>
}

/** the connections of the settings: name -> key id at the platform */
export const managed = { wide: 'WIDEKEY001', narrow: 'NARROWKEY1' } as const

const { pem } = makePair()
/** a hosted connection, stored without a check at the platform */
export const accountOf = (id: string) => ({
  id,
  keyId: 'HOSTEDKEY1',
  issuerId: 'issuer',
  privateKey: pem,
  check: false,
})

function writeSecrets(folder: string) {
  const secret = masterKeys('k1')
  writeFileSync(join(folder, 'keys.txt'), secret, { mode: 0o600 })
  const ours = makePair()
  writeFileSync(join(folder, 'managed.p8'), ours.pem, { mode: 0o600 })
  return {
    settings: {
      masterKeysFile: join(folder, 'keys.txt'),
      connections: Object.fromEntries(
        Object.entries(managed).map(([id, keyId]) => [
          id,
          { keyId, issuerId: 'issuer', privateKeyFile: join(folder, 'managed.p8') },
        ]),
      ),
    },
    canaries: [
      ...pemCanaries('the key of the settings', ours.pem),
      ...pemCanaries('the hosted key', pem),
      ...secretCanaries('the master key', secret),
      ...secretCanaries("the operator's token", operatorToken),
    ],
  }
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-cluster-'))
  const [postgres, redis] = [await ownPostgres(), options.redis === false ? undefined : await ownRedis()]
  const platform = await startPlatform(options.platform)
  const { settings: secret, canaries } = writeSecrets(folder)
  const settings = {
    // all removed keys are tried from one address
    rateLimit: { perMinute: 0, failuresPerMinute: 0 },
    log: 'all',
    ...secret,
    ...options.settings,
    upstream: { baseUrl: platform.url, timeoutMs: 5_000, ...(options.settings?.['upstream'] as object) },
  }
  const replicas: Replica[] = []
  for (let n = 0; n < (options.replicas ?? 2); n++)
    replicas.push(
      await makeReplica({
        name: 'abcdefgh'[n] ?? `r${n}`,
        folder,
        platform,
        store: postgres.url,
        redis: redis?.url,
        settings,
        environment: { VITRINE_OPERATOR_TOKEN: operatorToken },
        preloads: options.preloads ?? [],
      }),
    )
  // started together, so that they race to create the tables
  await Promise.all(replicas.map((one) => one.start()))
  const backends = replicas.map(({ wires }) => ({ host: '127.0.0.1', port: wires.endpoint.port }))
  const balancer = await startBalancer({ backends })
  const act: Cluster['act'] = (replica, method, path, body) =>
    ask(`${replica.operatorUrl}/operator/v1${path}`, operatorToken, { method, ...(body && { body }) })
  return {
    replicas,
    balancer,
    postgres,
    redis,
    platform,
    canaries,
    act,
    async issue(more = {}) {
      const made = await act(replicas[0] as Replica, 'POST', '/keys', { name: 'k', connections: ['*'], ...more })
      assert.equal(made.status, 201, made.text)
      return made.json
    },
    async close() {
      await balancer.close()
      for (const one of replicas) await one.close()
      await platform.close()
      await redis?.kill()
      await postgres.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
