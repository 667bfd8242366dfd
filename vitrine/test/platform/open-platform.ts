// A platform client with times that no test reaches, which is closed at its end.
import type { TestContext } from 'node:test'
import { createPlatform } from '../../src/platform/client.ts'

type Options = Parameters<typeof createPlatform>[0]

export function openPlatform(t: TestContext, baseUrl: string, more: Partial<Options> = {}) {
  const platform = createPlatform({
    baseUrl,
    connectMs: 10_000,
    headersMs: 20_000,
    idleMs: 20_000,
    totalMs: 30_000,
    concurrency: 4,
    privateAddresses: false,
    now: Date.now,
    observe: () => {},
    ...more,
  })
  t.after(() => platform.close())
  return platform
}
