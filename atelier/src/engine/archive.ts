// Paths of a container over the engine's archive calls. Podman takes a path that it reads for a pattern; Docker for a name.
import type { Readable } from 'node:stream'
import type { Signal } from '../../../base/core/abort.ts'
import { type EngineReply, readReply, refusalOf } from './client.ts'
import { containerFailure, type EngineLink, inspectState, limits } from './link.ts'
import { EngineError, type PathState, type TarOptions } from './port.ts'

interface EngineStat {
  readonly size: number
  readonly mode: number
  readonly mtime: string
  readonly linkTarget?: string
}

const goType = {
  directory: 2 ** 31,
  symlink: 2 ** 27,
  others: 2 ** 26 + 2 ** 25 + 2 ** 24 + 2 ** 21 + 2 ** 19,
} as const
const goBits = [
  [2 ** 23, 0o4000],
  [2 ** 22, 0o2000],
  [2 ** 20, 0o1000],
] as const
// 32 bits: `&` alone would answer negative numbers
const has = (mode: number, bits: number) => (mode & bits) !== 0

const typeOf = (mode: number): PathState['type'] => {
  if (has(mode, goType.directory)) return 'directory'
  if (has(mode, goType.symlink)) return 'symlink'
  return has(mode, goType.others) ? 'other' : 'file'
}

export function parseStat(header: string, askedPath: string): PathState {
  const { size, mode, mtime, linkTarget } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as EngineStat
  const type = typeOf(mode)
  let bits = mode & 0o777
  for (const [go, bit] of goBits) if (has(mode, go)) bits |= bit
  // Podman fills the member for every file, and with the pattern itself where it did not follow it
  const leadsTo = type === 'symlink' && linkTarget !== askedPath ? linkTarget : undefined
  return { type, mode: bits, size, modifiedAt: new Date(mtime), linkTarget: leadsTo || null }
}

const escapePattern = (path: string) => path.replaceAll(/[?[\\]/g, '\\$&')

/** of a transfer's connection */
const bufferBytes = 1024 * 1024

const archiveOf = (id: string) => `/containers/${encodeURIComponent(id)}/archive`

/** the path as this dialect wants it; undefined: the engine cannot reach such a name */
async function readablePath(link: EngineLink, path: string) {
  if (path.includes('*') || path.includes('\0')) return undefined
  return (await link.isPodman()) ? escapePattern(path) : path
}

export async function statPath(
  link: EngineLink,
  id: string,
  path: string,
  signal?: Signal,
): Promise<PathState | undefined> {
  const asked = await readablePath(link, path)
  if (asked === undefined) return undefined
  const wish = { method: 'HEAD', path: archiveOf(id), query: { path: asked }, timeoutMs: limits.path, signal } as const
  const reply = await link.client.call(wish)
  // Podman answers 404 for a dangling link, and describes it all the same
  const header = reply.headers['x-docker-container-path-stat']
  if (typeof header === 'string') return parseStat(header, asked)
  if (!(await inspectState(link, id))) throw refusalOf(reply, 'container_gone')
  if (reply.status === 404 || (await isBelowFile(link, id, path))) return undefined
  throw refusalOf(reply)
}

/** Docker answers 500 where a parent is no directory */
async function isBelowFile(link: EngineLink, id: string, path: string): Promise<boolean> {
  const parent = path.slice(0, path.lastIndexOf('/'))
  if (parent === '') return false
  const state = await statPath(link, id, parent)
  if (state?.type !== 'symlink') return state?.type !== 'directory'
  const target = state.linkTarget === null ? undefined : await statPath(link, id, state.linkTarget)
  return target?.type !== 'directory'
}

async function archiveFailure(link: EngineLink, id: string, reply: EngineReply) {
  if (reply.status === 404 && (await inspectState(link, id))) return refusalOf(reply, 'path_gone')
  const failure = refusalOf(reply)
  return failure.fault === 'no_space' ? failure : containerFailure(link, id, reply)
}

/** Podman takes the directory of a PUT for a name, unlike a path that is read */
export async function putArchive(link: EngineLink, id: string, directory: string, tar: Readable, options?: TarOptions) {
  const query = { path: directory, noOverwriteDirNonDir: '1' }
  const wish = { method: 'PUT', path: archiveOf(id), query, timeoutMs: limits.transfer, bufferBytes } as const
  const reply = await link.client.upload({ ...wish, signal: options?.signal }, tar, options)
  if (reply.status >= 400) throw await archiveFailure(link, id, reply)
}

export async function getArchive(link: EngineLink, id: string, path: string): Promise<Readable> {
  const asked = await readablePath(link, path)
  if (asked === undefined) throw new EngineError('path_gone')
  const place = { path: archiveOf(id), query: { path: asked } }
  const wish = { method: 'GET', ...place, timeoutMs: limits.path, bufferBytes } as const
  const response = await link.client.stream(wish)
  if ((response.statusCode ?? 0) < 400) return response
  throw await archiveFailure(link, id, await readReply(response))
}
