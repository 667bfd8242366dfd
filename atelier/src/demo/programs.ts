// The programs that a private engine consists of, and the line that installs what is missing.
import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const packages = 'podman runc netavark catatonit busybox-static iptables openssh-client curl'
export const installLine = `apt-get install --no-install-recommends ${packages}`

/** where a user's path does not lead */
const systemFolders = ['/usr/sbin', '/sbin']

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...systemFolders]
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** A program without an interpreter, which runs in an image made of it alone: no program header of type 3. */
function isStatic(file: string): boolean {
  const head = Buffer.alloc(4096)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, head, 0, head.length, 0)
  } finally {
    closeSync(descriptor)
  }
  if (head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2) return false
  const [start, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)]
  const headers = Array.from({ length: count }, (_, i) => start + i * size)
  return headers.every((at) => at + size > head.length || head.readUInt32LE(at) !== 3)
}

function findBusybox(): string | undefined {
  const found = findProgram('busybox')
  return found !== undefined && isStatic(found) ? found : undefined
}

const findHelper = (name: string): string | undefined =>
  ['/usr/libexec/podman', '/usr/lib/podman', '/usr/local/libexec/podman', '/usr/local/lib/podman']
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file)) ?? findProgram(name)

export interface EnginePrograms {
  readonly busybox: string
  /** `runc` where it is: crun refuses machines that mix both versions of cgroups */
  readonly runtime: string
  readonly catatonit: string
}

export function findEnginePrograms(): EnginePrograms | undefined {
  const [busybox, catatonit] = [findBusybox(), findHelper('catatonit')]
  const runtime = ['runc', 'crun'].find((name) => findProgram(name) !== undefined)
  const others = [findProgram('podman'), findProgram('unshare'), findHelper('netavark')]
  if (busybox === undefined || catatonit === undefined || runtime === undefined || others.includes(undefined))
    return undefined
  return { busybox, runtime, catatonit }
}
