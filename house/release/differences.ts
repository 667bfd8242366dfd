// Says where two builds differ: a line for each file, with the line or the byte. Looks into archives and saved images, so that a
// difference is named by the file that has it.
import { unzipSync } from 'fflate'
import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const modeOf = (path: string): string => lstatSync(path).mode.toString(8)

function folderDifferences(first: string, second: string, name: string): string[] {
  const [mine, theirs] = [first, second].map((folder) => new Set(readdirSync(folder)))
  return [...new Set([...mine!, ...theirs!])].toSorted().flatMap((entry) => {
    if (!theirs!.has(entry)) return [`${name}/${entry}: only in the first build`]
    if (!mine!.has(entry)) return [`${name}/${entry}: only in the second build`]
    return differences(join(first, entry), join(second, entry), `${name}/${entry}`)
  })
}

/** one line, cut short around its first difference */
const excerpt = (line: string, at: number): string => JSON.stringify(line.slice(Math.max(0, at - 40), at + 60))

function textDifference(first: string, second: string, name: string): string {
  const [mine, theirs] = [first.split('\n'), second.split('\n')]
  const line = mine.findIndex((one, index) => one !== theirs[index])
  if (line < 0) return `${name}:${mine.length}: the second build goes on`
  const [here = '', there = ''] = [mine[line], theirs[line]]
  const at = Array.from(here).findIndex((letter, index) => letter !== there[index])
  return `${name}:${line + 1}: ${excerpt(here, at)}, then ${excerpt(there, at)}`
}

function byteDifference(first: Buffer, second: Buffer, name: string): string {
  const found = first.findIndex((byte, index) => byte !== second[index])
  const at = found < 0 ? first.length : found
  const hex = (bytes: Buffer): string => bytes.subarray(at, at + 8).toString('hex') || 'the end'
  return `${name}: byte ${at}: ${hex(first)}, then ${hex(second)} (${first.length} and ${second.length} bytes)`
}

const isZip = (bytes: Buffer): boolean => bytes.readUInt32BE(0) === 0x504b0304
const isGzip = (bytes: Buffer): boolean => bytes.readUInt16BE(0) === 0x1f8b
const isTar = (bytes: Buffer): boolean => bytes.length > 262 && bytes.toString('latin1', 257, 262) === 'ustar'

/** names, modes, owners, sizes and times of the members, in their order */
const listing = (archive: string): string =>
  execFileSync('tar', ['--full-time', '--numeric-owner', '--utc', '-tvf', archive], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })

function unzip(archive: string, folder: string) {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(archive)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
}

function archiveDifferences(first: string, second: string, name: string): string[] {
  const scratch = mkdtempSync(join(tmpdir(), 'differences-'))
  try {
    const [mine, theirs] = [first, second].map((archive, index) => {
      const folder = join(scratch, String(index))
      mkdirSync(folder)
      if (isZip(readFileSync(archive))) unzip(archive, folder)
      else execFileSync('tar', ['-xpf', archive, '-C', folder])
      return folder
    })
    const isTarball = !isZip(readFileSync(first)) && !isZip(readFileSync(second))
    const [here, there] = isTarball ? [listing(first), listing(second)] : ['', '']
    const members = here === there ? [] : [textDifference(here, there, `${name} (list of members)`)]
    return [...members, ...folderDifferences(mine!, theirs!, name)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Manifest {
  readonly config: { readonly digest: string }
  readonly layers: readonly { readonly digest: string }[]
}

/** The files of a saved image are named by their digests, so what belongs together is found through the manifest. */
function imageDifferences(first: string, second: string, name: string): string[] {
  const [mine, theirs] = [first, second].map((folder) => {
    const { config, layers } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest
    return [config, ...layers].map(({ digest }) => join(folder, digest.replace('sha256:', '')))
  }) as [string[], string[]]
  if (mine.length !== theirs.length) return [`${name}: ${mine.length - 1} layers, then ${theirs.length - 1}`]
  const labels = ['configuration', ...mine.map((_, index) => `layer ${index + 1}`)]
  return mine.flatMap((blob, index) => differences(blob, theirs[index]!, `${name} ${labels[index]}`))
}

function fileDifferences(first: string, second: string, name: string): string[] {
  const [mine, theirs] = [readFileSync(first), readFileSync(second)]
  if (mine.equals(theirs)) return []
  const isArchive = [mine, theirs].every((bytes) => bytes.length > 4 && (isGzip(bytes) || isZip(bytes) || isTar(bytes)))
  const inside = isArchive ? archiveDifferences(first, second, name) : []
  if (inside.length > 0) return inside
  if (isArchive) return [byteDifference(mine, theirs, `${name}: equal members, packed differently`)]
  if (mine.includes(0) || theirs.includes(0)) return [byteDifference(mine, theirs, name)]
  return [textDifference(mine.toString(), theirs.toString(), name)]
}

/** Compares two files or folders by names, kinds, modes and bytes. No line means that they are equal. */
export function differences(first: string, second: string, name: string): string[] {
  const [mine, theirs] = [lstatSync(first), lstatSync(second)]
  if (mine.mode !== theirs.mode) return [`${name}: mode ${modeOf(first)}, then ${modeOf(second)}`]
  if (mine.isSymbolicLink()) {
    const [here, there] = [readlinkSync(first), readlinkSync(second)]
    return here === there ? [] : [`${name}: leads to ${here}, then to ${there}`]
  }
  if (!mine.isDirectory()) return fileDifferences(first, second, name)
  const isImage = readdirSync(first).includes('manifest.json') && readdirSync(first).includes('version')
  return isImage ? imageDifferences(first, second, name) : folderDifferences(first, second, name)
}
