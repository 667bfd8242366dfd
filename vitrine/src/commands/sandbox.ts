// `vitrine sandbox`: the simulated platform alone, with settings for a service, or with a broken installation.
import { join, resolve } from 'node:path'
import { shellWord } from '../../../base/core/source-text.ts'
import { didYouMean, nearestOf } from '../../../base/core/nearest.ts'
import { readFaultRule, startSandbox } from '../sandbox/sandbox.ts'
import { UserError, asUserError } from '../../../base/cli/user-error.ts'
import { accountsOf, writeInstallation } from './installation-folder.ts'
import { type BrokenInstallation, brokenInstallations } from './broken-installations.ts'
import { exitOnSignal } from '../../../base/cli/exit-on-signal.ts'
import { closeOnSignal } from './signals.ts'
import { printJson, printLine, say } from '../../../base/cli/output.ts'
import { programName } from './program-name.ts'
import { openSandboxAccount } from './sandbox-account.ts'

interface SandboxCommand {
  readonly port: string
  readonly data: string
  readonly trouble?: readonly string[]
  readonly linkages: boolean
  readonly disorder?: string
}

function findDisorder(name: string): BrokenInstallation {
  const found = Object.hasOwn(brokenInstallations, name) ? brokenInstallations[name] : undefined
  if (found) return found
  const known = Object.keys(brokenInstallations)
  const hint = didYouMean(nearestOf(name, known))
  throw new UserError(`--disorder: unknown name ${JSON.stringify(name)}.${hint} Names: ${known.join(', ')}.`)
}

export async function sandbox({ port, data, trouble = [], linkages, disorder: name }: SandboxCommand) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UserError('--port must be a number from 0 to 65535.')
  const serves = exitOnSignal()
  const disorder = name === undefined ? undefined : findDisorder(name)
  const own = await asUserError(() => openSandboxAccount(resolve(data)))
  const { keyId, issuerId, privateKeyFile } = own
  const platform = await asUserError(() =>
    startSandbox({
      port: Number(port),
      accounts: accountsOf(disorder ?? {}, own),
      faults: [...trouble, ...(disorder?.trouble ?? [])].map(readFaultRule),
      supplyLinkages: linkages,
    }),
  )
  closeOnSignal(
    () => platform.close(),
    () => {},
  )
  serves()
  if (name !== undefined && disorder) {
    const folder = join(resolve(data), `disorder-${name}`)
    const file = await asUserError(() => writeInstallation(disorder, { folder, platform: platform.url }, own))
    say(`The sandbox platform listens on ${platform.url}, with ${name}: ${disorder.about}. Check it with:`)
    return printLine(`${programName()} doctor --config ${shellWord(file)}`)
  }
  say(`The sandbox platform listens on ${platform.url}. Settings for a service that uses it:`)
  return printJson({ upstream: { baseUrl: platform.url }, connections: { demo: { keyId, issuerId, privateKeyFile } } })
}
