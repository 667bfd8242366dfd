// Asks a service whose platform answers by one script at a time: each asking begins with an empty list of calls.
import type test from 'node:test'
import { page } from './places.ts'
import { refuse, type Script } from './scripted-platform.ts'
import { type ServiceOptions, startScripted } from './service.ts'

export async function scripted(t: test.TestContext, options: ServiceOptions = {}) {
  const { platform, service, close } = await startScripted(() => {}, options)
  t.after(close)
  return {
    platform,
    service,
    async ask(script: Script, path = page.path) {
      platform.calls.length = 0
      platform.script = script
      return service.ask(path)
    },
  }
}

/** a platform that answers everything with one refusal */
export const always =
  (status: number, headers = {}, code = 'CODE'): Script =>
  (_, res) =>
    refuse(res, status, code, undefined, headers)
