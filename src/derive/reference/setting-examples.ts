// A value for each setting that the service takes, and the guide that tells more about it.
import type { Settings } from '../../settings.ts'

interface SettingExample {
  /** as it stands in the settings file */
  readonly example: unknown
  /** its name in docs/guides */
  readonly guide: string
}

const account = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: '2X9R4HXF34', privateKeyFile: 'studio.p8' }

export const settingExamples: Readonly<Record<keyof Settings, SettingExample>> = {
  listen: { example: '0.0.0.0:8080', guide: 'running' },
  operatorListen: { example: 'off', guide: 'operator' },
  publicUrl: { example: 'https://vitrine.example', guide: 'running' },
  operatorUrl: { example: 'https://console.vitrine.example', guide: 'operator' },
  operatorTokenFile: { example: '/run/secrets/operator-tokens', guide: 'operator' },
  store: { example: 'postgres://vitrine@db.internal/vitrine', guide: 'running' },
  storePasswordFile: { example: '/run/secrets/store-password', guide: 'deploying' },
  redis: { example: 'redis://vitrine:PASSWORD@redis.internal:6379', guide: 'replicas' },
  redisPasswordFile: { example: '/run/secrets/redis-password', guide: 'deploying' },
  storeOutageSeconds: { example: 60, guide: 'replicas' },
  masterKeysFile: { example: '/run/secrets/master-keys', guide: 'vault' },
  'upstream.baseUrl': { example: 'https://forwarder.internal', guide: 'running' },
  'upstream.timeoutMs': { example: 15_000, guide: 'running' },
  'upstream.connectMs': { example: 1_000, guide: 'running' },
  'upstream.headersMs': { example: 8_000, guide: 'running' },
  'upstream.idleMs': { example: 3_000, guide: 'running' },
  'upstream.totalMs': { example: 12_000, guide: 'running' },
  'upstream.concurrency': { example: 4, guide: 'running' },
  'upstream.privateAddresses': { example: true, guide: 'running' },
  'rateLimit.perMinute': { example: 120, guide: 'keys' },
  'rateLimit.failuresPerMinute': { example: 100, guide: 'keys' },
  'limits.requests': { example: 1_024, guide: 'running' },
  'limits.connectionsPerAddress': { example: 200, guide: 'running' },
  'limits.answerMegabytes': { example: 256, guide: 'running' },
  workers: { example: 4, guide: 'running' },
  drainSeconds: { example: 5, guide: 'running' },
  trustedProxies: { example: ['192.0.2.7', '10.0.3.0/28'], guide: 'running' },
  cacheSeconds: { example: { apps: 300, commerce: 60 }, guide: 'caching' },
  traces: { example: true, guide: 'logs' },
  'audit.reads': { example: true, guide: 'operator' },
  'audit.days': { example: 400, guide: 'operator' },
  'audit.lines': { example: 10_000_000, guide: 'operator' },
  log: { example: 'problems', guide: 'logs' },
  connections: { example: { studio: account }, guide: 'connections' },
}
