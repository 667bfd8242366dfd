// A container's life: create, start, stop, remove, and what the engine knows of those of this instance.
import { setTimeout as pause } from 'node:timers/promises'
import { refusalOf, readJson, type EngineReply } from './client.ts'
import { statPath } from './archive.ts'
import { containerFailure, type EngineLink, expectOk, inspectState, labels, limits } from './link.ts'
import {
  type ContainerKind,
  type ContainerState,
  type ContainerTemplate,
  type EngineContainer,
  EngineError,
  type EngineFault,
} from './port.ts'
import { followedProgram } from './programs.ts'
import { residentOfImage, residentPath } from './resident.ts'
import { seccompOption } from './seccomp.ts'
import { containerBody, networkBody } from './template.ts'
import { withOwnVolume } from './working-volume.ts'

const sleepPrograms = ['/bin/sleep', '/usr/bin/sleep']
const longestSleepSeconds = '1000000000'
const removalPausesMs = [50, 100, 200, 400, 800, 1600, 3200]

const pathOf = (id: string, action = '') => `/containers/${encodeURIComponent(id)}${action}`

async function createNetwork(link: EngineLink, { id, kind }: ContainerTemplate) {
  const body = networkBody(id, link.marks(id, kind))
  const reply = await link.client.call({ method: 'POST', path: '/networks/create', body, timeoutMs: limits.change })
  expectOk(reply)
}

async function removeNetwork(link: EngineLink, id: string) {
  const path = `/networks/${encodeURIComponent(id)}`
  const reply = await link.client.call({ method: 'DELETE', path, timeoutMs: limits.change })
  if (reply.status !== 404) expectOk(reply)
}

async function creationFailure(link: EngineLink, { id }: ContainerTemplate, reply: EngineReply) {
  if (reply.status === 404) return refusalOf(reply, 'image_gone')
  if (reply.status === 409 || (await inspectState(link, id))) return refusalOf(reply, 'name_taken')
  // Docker makes the directory at once and tells by its words alone that a file is in the way
  if (/not a directory/.test(reply.text)) return refusalOf(reply, 'bad_working_dir')
  return refusalOf(reply)
}

interface FirstProcess {
  readonly argv: readonly string[]
  readonly isResident?: boolean
}

async function createWith(link: EngineLink, template: ContainerTemplate, first: FirstProcess) {
  await withOwnVolume(link, template, (volumesFrom) => postContainer(link, template, first, volumesFrom))
}

async function postContainer(link: EngineLink, template: ContainerTemplate, first: FirstProcess, volumesFrom?: string) {
  const info = await link.info()
  const { id, kind, image } = template
  const carried = kind === 'container' ? await residentOfImage(link, image) : undefined
  const marks = { ...link.marks(id, kind), ...(carried !== undefined && { [labels.resident]: carried }) }
  const seccomp = seccompOption(link.seccompProfile, info.dialect === 'podman')
  const { runtime } = link
  const plan = { template, ...first, marks, info, runtime, seccomp }
  const body = containerBody(volumesFrom === undefined ? plan : { ...plan, volumesFrom })
  const reply = await link.client.call({
    method: 'POST',
    path: '/containers/create',
    query: { name: id },
    body,
    timeoutMs: limits.change,
  })
  if (reply.status >= 400) throw await creationFailure(link, template, reply)
}

/** Docker has nothing of its own that waits: a program of the image has to, and is looked for before it is relied on. */
async function createSleeping(link: EngineLink, template: ContainerTemplate) {
  for (const program of sleepPrograms) {
    await createWith(link, template, { argv: [program, longestSleepSeconds] })
    if ((await followedProgram(link, template.id, program)) === 'executable') return
    await removeContainer(link, template.id, false)
  }
  throw new EngineError('no_shell')
}

export async function createContainer(link: EngineLink, template: ContainerTemplate) {
  const { keepsAliveWithoutShell, takesRuntime } = await link.info()
  if (!takesRuntime)
    throw new EngineError('failed', 'the engine does not take the runtime: name it in its own configuration')
  if (template.network === 'egress') await createNetwork(link, template)
  try {
    if (template.command) await createWith(link, template, { argv: template.command })
    else if (template.kind === 'container' && (await residentOfImage(link, template.image)) !== undefined)
      await createWith(link, template, { argv: [residentPath], isResident: true })
    else if (keepsAliveWithoutShell) await createWith(link, template, { argv: ['/run/podman-init', '-P'] })
    else await createSleeping(link, template)
  } catch (error) {
    if (template.network === 'egress' && (error as EngineError).fault !== 'name_taken')
      await removeNetwork(link, template.id)
    throw error
  }
}

export async function startContainer(link: EngineLink, id: string) {
  const reply = await link.client.call({ method: 'POST', path: pathOf(id, '/start'), timeoutMs: limits.change })
  if (reply.status < 400) return
  const found = await inspectState(link, id)
  if (!found) throw refusalOf(reply, 'container_gone')
  const directory = await statPath(link, id, found.Config.WorkingDir).catch(() => undefined)
  const isBad = directory?.type === 'file' || directory?.type === 'other'
  throw refusalOf(reply, isBad ? 'bad_working_dir' : 'start_refused')
}

export async function stopContainer(link: EngineLink, id: string, graceSeconds: number) {
  const query = { t: String(graceSeconds) }
  const timeoutMs = graceSeconds * 1000 + limits.change
  const reply = await link.client.call({ method: 'POST', path: pathOf(id, '/stop'), query, timeoutMs })
  if (reply.status < 400 || reply.status === 404) return
  const failure = await containerFailure(link, id, reply)
  if (failure.fault === 'failed') throw failure
}

/** Podman says "busy" now and then, and Docker that it is at it already: both are asked again. */
export async function removeContainer(link: EngineLink, id: string, hasNetwork = true) {
  const query = { force: '1', v: '1' }
  for (let attempt = 0; ; attempt += 1) {
    const reply = await link.client.call({ method: 'DELETE', path: pathOf(id), query, timeoutMs: limits.change })
    if (reply.status < 400 || reply.status === 404) break
    const waitMs = removalPausesMs[attempt]
    if (waitMs === undefined) throw refusalOf(reply)
    await pause(waitMs)
  }
  if (hasNetwork) await removeNetwork(link, id)
}

export async function containerState(link: EngineLink, id: string): Promise<ContainerState | undefined> {
  const found = await inspectState(link, id)
  if (!found) return undefined
  const { Running, Status, ExitCode, OOMKilled } = found.State
  const hasEnded = !Running && (Status === 'exited' || Status === 'stopped' || Status === 'dead')
  return { running: Running, exitCode: hasEnded ? ExitCode : null, oomKilled: OOMKilled }
}

export interface Listed {
  readonly Id: string
  readonly Labels: Readonly<Record<string, string>> | null
  readonly State: string
  readonly SizeRw?: number
  readonly Mounts?: readonly { readonly Type: string; readonly Name?: string; readonly Destination: string }[] | null
}

export async function listRaw(link: EngineLink, query: Readonly<Record<string, string>>) {
  const wish = { method: 'GET', path: '/containers/json', query: { ...link.filters(), ...query } } as const
  return readJson(expectOk(await link.client.call({ ...wish, timeoutMs: limits.list }))) as Listed[]
}

const kindOf = (marks: Listed['Labels']): ContainerKind => (marks?.[labels.kind] === 'build' ? 'build' : 'container')

/** a network without its container counts as a container, so that it is removed with the rest */
export async function listContainers(link: EngineLink): Promise<readonly EngineContainer[]> {
  const query = link.filters()
  const networks = await link.client.call({ method: 'GET', path: '/networks', query, timeoutMs: limits.list })
  const found = new Map<string, EngineContainer>()
  for (const { Labels } of readJson(expectOk(networks)) as Listed[]) {
    const id = Labels?.[labels.id]
    if (id !== undefined) found.set(id, { id, engineId: id, kind: kindOf(Labels), running: false })
  }
  for (const { Id, Labels, State } of await listRaw(link, { all: '1' })) {
    const id = Labels?.[labels.id]
    if (id !== undefined) found.set(id, { id, engineId: Id, kind: kindOf(Labels), running: State === 'running' })
  }
  return [...found.values()]
}

const mostTries = 3

/** Repeats an act on a container of its own: a service at work removes containers that it does not know. */
export async function inTries<T>(faults: readonly EngineFault[], act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act()
    } catch (error) {
      if (tries === mostTries || !faults.includes((error as EngineError).fault)) throw error
    }
  }
}
