// `vitrine sandbox`: the pretend platform on its own, with the settings that point a service at it.
import { resolve } from 'node:path'
import { readTroubleRule, startSandbox } from '../sandbox/sandbox.ts'
import { Complaint, orComplain } from './complaint.ts'
import { stopOnSignal } from './lifetime.ts'
import { printJson, say } from './output.ts'
import { openSandboxAccount } from './sandbox-account.ts'

interface SandboxCommand {
  readonly port: string
  readonly data: string
  readonly trouble?: readonly string[]
  readonly linkages: boolean
}

export async function sandbox({ port, data, trouble = [], linkages }: SandboxCommand) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Complaint('--port must be a number from 0 to 65535.')
  const { publicKey, ...account } = await orComplain(() => openSandboxAccount(resolve(data)))
  const { keyId, issuerId, privateKeyFile } = account
  const platform = await orComplain(() =>
    startSandbox({
      port: Number(port),
      accounts: [{ keyId, issuerId, publicKey }],
      trouble: trouble.map(readTroubleRule),
      supplyLinkages: linkages,
    }),
  )
  stopOnSignal(
    () => platform.close(),
    () => {},
  )
  say(`The sandbox platform listens on ${platform.url}. Settings for a service over it:`)
  printJson({ upstream: { baseUrl: platform.url }, connections: { demo: { keyId, issuerId, privateKeyFile } } })
}
