// `vitrine sandbox`: the pretend platform on its own, with the settings that point a service at it, or with an installation
// that has one disorder.
import { join, resolve } from 'node:path'
import { shellWord } from '../samples.ts'
import { didYouMean, nearestOf } from '../engine/nearest.ts'
import { readTroubleRule, startSandbox } from '../sandbox/sandbox.ts'
import { Complaint, orComplain } from './complaint.ts'
import { accountsOf, prepareDisordered } from './disordered.ts'
import { type Disorder, disorders } from './disorders.ts'
import { endOnSignal, stopOnSignal } from './lifetime.ts'
import { printJson, printLine, say } from './output.ts'
import { programName } from './program-name.ts'
import { openSandboxAccount } from './sandbox-account.ts'

interface SandboxCommand {
  readonly port: string
  readonly data: string
  readonly trouble?: readonly string[]
  readonly linkages: boolean
  readonly disorder?: string
}

function findDisorder(name: string): Disorder {
  const found = Object.hasOwn(disorders, name) ? disorders[name] : undefined
  if (found) return found
  const known = Object.keys(disorders)
  const hint = didYouMean(nearestOf(name, known))
  throw new Complaint(`--disorder: there is no ${JSON.stringify(name)}.${hint} There are: ${known.join(', ')}.`)
}

export async function sandbox({ port, data, trouble = [], linkages, disorder: name }: SandboxCommand) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Complaint('--port must be a number from 0 to 65535.')
  const serves = endOnSignal()
  const disorder = name === undefined ? undefined : findDisorder(name)
  const own = await orComplain(() => openSandboxAccount(resolve(data)))
  const { keyId, issuerId, privateKeyFile } = own
  const platform = await orComplain(() =>
    startSandbox({
      port: Number(port),
      accounts: accountsOf(disorder ?? {}, own),
      trouble: [...trouble, ...(disorder?.trouble ?? [])].map(readTroubleRule),
      supplyLinkages: linkages,
    }),
  )
  stopOnSignal(
    () => platform.close(),
    () => {},
  )
  serves()
  if (name !== undefined && disorder) {
    const folder = join(resolve(data), `disorder-${name}`)
    const file = await orComplain(() => prepareDisordered(disorder, { folder, platform: platform.url }, own))
    say(`The sandbox platform listens on ${platform.url}, with ${name}: ${disorder.about}. Look at it with:`)
    return printLine(`${programName()} doctor --config ${shellWord(file)}`)
  }
  say(`The sandbox platform listens on ${platform.url}. Settings for a service over it:`)
  return printJson({ upstream: { baseUrl: platform.url }, connections: { demo: { keyId, issuerId, privateKeyFile } } })
}
