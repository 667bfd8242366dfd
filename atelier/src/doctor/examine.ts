// What can be wrong with an installation: the engine, its socket, its user namespaces and its runtime, the store, the base images,
// the SSH host key, the operator endpoint, room on the disks, the provider for sign-ins.
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OidcError } from '../../../base/auth/oidc-error.ts'
import { openFiles } from '../../../base/core/secret-files.ts'
import { providerOf } from '../accounts/oidc-sign-in.ts'
import { engineOf, locate } from '../core.ts'
import type { Engine, EngineInfo } from '../engine/port.ts'
import type { Settings } from '../settings.ts'
import { examineVersion } from './engine-content.ts'
import type { Finding } from './finding.ts'
import { examineHostKey } from './host-key.ts'
import { examineKernelLimits } from './kernel-limits.ts'
import { examineOperatorEndpoint } from './operator-endpoint.ts'
import { examineProxies } from './proxies.ts'
import { examineFiles, examineInodes } from './room.ts'
import { examineStore, fileOf } from './store.ts'

const othersWrite = 0o002
const othersPass = 0o001

/** To connect to a socket, others must write to it, and pass all folders above. Docker's own belongs to a group on purpose. */
function canOthersConnect(socket: string): boolean {
  if ((statSync(socket).mode & othersWrite) === 0) return false
  for (let folder = dirname(socket); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & othersPass) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

function examineSocket(socket: string): Finding[] {
  try {
    if (!canOthersConnect(socket)) return []
    const fix = `chmod o= ${socket}, or keep it in a folder of mode 0700.`
    return [
      {
        problem: `Other users of this machine can reach the engine's socket ${socket}, which is as good as root.`,
        fix,
      },
    ]
  } catch {
    return []
  }
}

function hasRanges(file: string): boolean {
  try {
    return /^containers:/m.test(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

function examineRanges({ dialect }: EngineInfo): Finding[] {
  const missing = ['/etc/subuid', '/etc/subgid'].filter((file) => !hasRanges(file))
  if (dialect !== 'podman' || missing.length === 0) return []
  const problem = `Podman has no ranges for user namespaces in ${missing.join(' and ')}: no container can be created.`
  return [{ problem, fix: 'Add the line containers:1000000:1000000 to both files.' }]
}

const runtimeFixes = {
  podman: (runtime: string) =>
    `Set runtime = "${runtime}" below [engine] in Podman's containers.conf, and start Podman again.`,
  docker: (runtime: string) => `Add "${runtime}" to "runtimes" in Docker's daemon.json, and start Docker again.`,
} as const

function examineRuntime({ dialect, takesRuntime }: EngineInfo, runtime: string | null): Finding[] {
  if (takesRuntime || runtime === null) return []
  const problem = `The engine does not take the runtime ${runtime} of engine.runtime: no container can be created.`
  return [{ problem, fix: runtimeFixes[dialect](runtime) }]
}

async function examineEngine(engine: Engine, socket: string, runtime: string | null): Promise<Finding[]> {
  try {
    const info = await engine.info()
    return [
      ...examineVersion(info),
      ...examineRanges(info),
      ...examineRuntime(info, runtime),
      ...examineInodes(info.storage),
    ]
  } catch {
    return [{ problem: `No engine answers at ${socket}.`, fix: 'Start Podman or Docker there, or set engine.socket.' }]
  }
}

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

/** `operatorToken`: that of the environment */
export async function examine(settings: Settings, folder: string, operatorToken?: string): Promise<readonly Finding[]> {
  const socket = resolve(folder, settings['engine.socket'])
  const location = locate(folder, settings.store)
  const engine = engineOf(settings, folder)
  try {
    return [
      ...examineSocket(socket),
      ...(await examineEngine(engine, socket, settings['engine.runtime'])),
      ...(await examineStore(settings, location, engine)),
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
