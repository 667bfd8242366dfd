// Sends requests to a service whose platform answers by one script at a time. Each request starts with an empty list
// of calls, on a connection that was not used before.
import type test from 'node:test'
import { page } from './example-routes.ts'
import { refuse, type Script } from './scripted-platform.ts'
import { type ServiceOptions, startScripted } from './service.ts'

const count = 400

export async function startScriptedRequests(t: test.TestContext, options: ServiceOptions = {}) {
  const connections = Object.fromEntries(
    ['acme', ...Array.from({ length: count }, (_, i) => `c${i}`)].map((id) => [
      id,
      { keyId: `KEY${id}`, privateKeyFile: 'key.p8', ...options.connection },
    ]),
  )
  const { platform, service, close } = await startScripted(() => {}, {
    ...options,
    file: { connections, ...options.file },
  })
  t.after(close)
  let asked = 0
  return {
    platform,
    service,
    async ask(script: Script, path = page.path) {
      platform.calls.length = 0
      platform.script = script
      return service.ask(`/v1/connections/c${asked++ % count}${path}`)
    },
  }
}

/** a platform that answers everything with one refusal */
export const always =
  (status: number, headers = {}, code = 'CODE'): Script =>
  (_, res) =>
    refuse(res, status, code, undefined, headers)
