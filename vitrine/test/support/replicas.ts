// Several services over one database and, if the test wants it, one Redis, all reading one platform.
import type { TestContext } from 'node:test'
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts'
import { freshDatabase } from '../../../base/test/postgres.ts'
import { redisUrl } from '../../../base/test/redis.ts'
import { type Script, startScriptedPlatform } from './scripted-platform.ts'
import { until } from '../../../base/test/until.ts'
import { accounts, type Asking, publicKey, type Service, type ServiceOptions, startService } from './service.ts'

export interface ReplicasOptions extends ServiceOptions {
  readonly count?: number
  /** the Redis address of each replica, such as that of a proxy; null: none */
  readonly redis?: (replica: number) => string | null
}

async function startOver(t: TestContext, platformUrl: string, options: ReplicasOptions) {
  const { count = 2, redis = () => redisUrl, file, ...rest } = options
  const database = await freshDatabase()
  const services: Service[] = []
  const open = new Set<Service>()
  const close = async (service: Service) => {
    if (open.delete(service)) await service.close()
  }
  for (let replica = 0; replica < count; replica++) {
    const address = redis(replica)
    // the services share one process, and each may have only its part of the concurrent calls
    const upstream = { timeoutMs: 60_000, concurrency: 24 }
    const own = { store: database.url, upstream, ...(address !== null && { redis: address }) }
    const service = await startService(platformUrl, { ...rest, file: { ...own, ...file } })
    services.push(service)
    open.add(service)
  }
  t.after(async () => {
    await Promise.all(services.map(close))
    await database.drop()
  })
  const [first] = services
  if (!first) throw new Error('a test has at least one replica')
  const { key } = first
  const events = (kind: string) => services.flatMap(({ events: all }) => all.filter((event) => event.kind === kind))
  /** sends a request to this replica, with a key for everything */
  const askOne = (replica: number, path: string, asking: Asking = {}) => {
    const service = services[replica % count]
    if (!service) throw new Error('there is no such replica')
    return service.ask(path, { key, ...asking })
  }
  return {
    database,
    services,
    key,
    askOne,
    close,
    /** the same request to each replica in turn, `times` times in all */
    askAll: (path: string, times: number) =>
      Promise.all(Array.from({ length: times }, (_, replica) => askOne(replica, path))),
    events,
    /** runs `act`, and repeats it if a busy machine made the Redis too slow, which costs calls and is no fault */
    async retryIfRedisWasDown(act: (attempt: number) => Promise<void>) {
      const count = (kind: string) => events(kind).length
      for (let attempt = 1; ; attempt++) {
        const before = count('redis_away')
        try {
          return await act(attempt)
        } catch (error) {
          if (attempt === 5 || count('redis_away') === before) throw error
          await until(() => count('redis_away') === count('redis_back'))
        }
      }
    },
  }
}

export async function startReplicas(t: TestContext, script: Script, options: ReplicasOptions = {}) {
  const platform = await startScriptedPlatform(script)
  const scene = await startOver(t, platform.url, options)
  t.after(() => platform.close())
  return { platform, ...scene }
}

export async function startReplicasOverSandbox(t: TestContext, options: ReplicasOptions = {}) {
  const sandbox: Sandbox = await startSandbox({
    accounts: Object.values(accounts).map((account) => ({ ...account, publicKey })),
  })
  const scene = await startOver(t, sandbox.url, options)
  t.after(() => sandbox.close())
  return { sandbox, ...scene }
}
