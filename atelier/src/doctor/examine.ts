// Examines an installation: the engine, the store, the base images, addresses, the SSH host key, proxies, the operator endpoint,
// memory and room on the disks, the provider for sign-ins.
import { resolve } from 'node:path'
import { OidcError } from '../../../base/auth/oidc-error.ts'
import { isWideNetwork } from '../../../base/core/network.ts'
import { openFiles } from '../../../base/core/secret-files.ts'
import { providerOf } from '../accounts/oidc-sign-in.ts'
import { engineOf, locate } from '../core.ts'
import { hasUnknownProxy, type Settings } from '../settings.ts'
import { examineAddresses } from './addresses.ts'
import { examineEngine } from './engine.ts'
import type { Finding } from './finding.ts'
import { examineHostKey } from './host-key.ts'
import { examineKernelLimits } from './kernel-limits.ts'
import { examineOperatorEndpoint } from './operator-endpoint.ts'
import { examineFiles, examineMemory, examineUser } from './room.ts'
import { examineStore, fileOf } from './store.ts'

async function examineProvider({ oidc, publicUrl }: Settings, folder: string): Promise<Finding[]> {
  if (!oidc) return []
  const { clientSecretFile: file, issuer } = oidc
  const open = openFiles(file === undefined ? [] : [{ file }], folder)
  const findings = open.map((one) => ({
    problem: `Other users of this machine can read the client's secret in ${one.file}.`,
    fix: `chmod 600 ${one.file}`,
  }))
  try {
    await providerOf({ settings: oidc, publicUrl, folder, now: Date.now }).check()
    return findings
  } catch (error) {
    const { message } = error as Error
    const problem = error instanceof OidcError ? `Nobody can sign in with ${issuer}: ${error.reason}.` : message
    return [...findings, { problem, fix: 'Check the settings of oidc, and that this machine reaches the provider.' }]
  }
}

/** `trustedProxies` has to name the proxy in front, and proxies alone */
function examineProxies(settings: Pick<Settings, 'publicUrl' | 'trustedProxies'>): readonly Finding[] {
  if (hasUnknownProxy(settings))
    return [
      {
        problem:
          'publicUrl is https and trustedProxies is empty: all callers count as the address of the proxy, and 30 wrong passwords of one of them stop the sign-ins of all.',
        fix: 'Set trustedProxies to the addresses of the proxy, such as ["127.0.0.1"] for one on this machine.',
      },
    ]
  const wide = settings.trustedProxies.filter(isWideNetwork)
  if (wide.length === 0) return []
  return [
    {
      problem: `trustedProxies holds ${wide.join(', ')}: each machine in there can claim the address of any caller.`,
      fix: 'List the addresses of the proxies, or the smallest network that holds them alone.',
    },
  ]
}

export interface ExamineOptions {
  /** of the environment */
  readonly operatorToken?: string | undefined
  /** after which the engine counts as hanging */
  readonly patienceMs?: number
}

export async function examine(
  settings: Settings,
  folder: string,
  { operatorToken, patienceMs = 10_000 }: ExamineOptions = {},
): Promise<readonly Finding[]> {
  const socket = resolve(folder, settings['engine.socket'])
  const location = locate(folder, settings.store)
  const engine = engineOf(settings, folder)
  try {
    const asked = { socket, runtime: settings['engine.runtime'], patienceMs }
    const { found, answers } = await examineEngine(engine, asked)
    return [
      ...found,
      ...(await examineStore(settings, location, answers ? engine : undefined)),
      ...examineUser(fileOf(location)),
      ...(await examineAddresses(settings)),
      ...examineMemory(settings),
      ...(settings['ssh.enabled'] ? examineHostKey(resolve(folder, settings['ssh.hostKeyFile'])) : []),
      ...examineProxies(settings),
      ...examineOperatorEndpoint(settings, folder, operatorToken),
      ...examineKernelLimits(),
      ...examineFiles(settings, fileOf(location)),
      ...(await examineProvider(settings, folder)),
    ]
  } finally {
    engine.close()
  }
}
