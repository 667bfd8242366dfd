// Directories that a client has open: listed once, up to the entries of an archive, and told in parts.
import { type Attributes, attributesBytes, longName, parseShown } from './attributes.ts'
import { type Answer, atEnd, type SftpContext } from './context.ts'
import { faultOf } from './faults.ts'
import type { FolderHandle } from './handles.ts'
import { ScriptGone, mostAnswerBytes } from './script-caller.ts'
import { answerTypes, type Fields, numberOf, stringOf } from './packets.ts'
import { pathOf } from './request-paths.ts'

const entriesAtOnce = 100
/** no name holds a slash, and a name may begin with the end of a line */
const entryEnd = Buffer.from('//\n')
const inFolder = './'

const namesAnswer = (count: number, parts: readonly Buffer[]): Answer => ({
  type: answerTypes.name,
  parts: [numberOf(count), ...parts],
})

/** a path alone, as REALPATH answers it */
export const pathAnswer = (path: Buffer): Answer => namesAnswer(1, [stringOf(path), stringOf(path), numberOf(0)])

export async function openFolder(context: SftpContext, fields: Fields): Promise<Answer> {
  const path = pathOf(fields.string(), context.spec.workingDir)
  context.handles.checkRoom()
  await context.script.ask('resolve', { folder: path, name: '.' })
  const handle: FolderHandle = { kind: 'folder', path, listing: undefined, at: 0 }
  return { type: answerTypes.handle, parts: [stringOf(context.handles.add(handle))] }
}

async function list({ script, handles, limits }: SftpContext, path: string): Promise<Buffer> {
  const listing = await script.ask('list', { folder: path, name: '.' }, [limits.archiveEntries])
  if (handles.listedBytes + listing.length > mostAnswerBytes) throw faultOf('many')
  return listing
}

export interface ListedEntry {
  readonly name: Buffer
  readonly attributes: Attributes
  /** where the next one begins */
  readonly next: number
}

export function entryAt(listing: Buffer, at: number): ListedEntry | undefined {
  if (at >= listing.length) return undefined
  const end = listing.indexOf(entryEnd, at)
  const shown = end === -1 ? undefined : parseShown(listing.toString('latin1', at, end))
  if (!shown?.rest.startsWith(inFolder)) throw new ScriptGone('no entry')
  const name = Buffer.from(shown.rest.slice(inFolder.length), 'latin1')
  return { name, attributes: shown.attributes, next: end + entryEnd.length }
}

export async function readFolder(context: SftpContext, fields: Fields): Promise<Answer> {
  const handle = context.handles.folder(fields.string())
  handle.listing ??= await list(context, handle.path)
  const entries: Buffer[] = []
  let count = 0
  while (count < entriesAtOnce) {
    const found = entryAt(handle.listing, handle.at)
    if (!found) break
    const { name, attributes } = found
    entries.push(stringOf(name), stringOf(longName(attributes, name)), attributesBytes(attributes))
    count += 1
    handle.at = found.next
  }
  if (count > 0) return namesAnswer(count, entries)
  handle.listing = Buffer.alloc(0)
  handle.at = 0
  return atEnd
}
