// What a client has open on its channel: a bounded number of files and directories, each a name of the service's own.
import { randomBytes } from 'node:crypto'
import { SftpFault } from './faults.ts'
import type { FilePlace } from './script-caller.ts'

export const mostHandles = 128
const idBytes = 8

/** bytes that were read ahead; a short one ends with the file */
export interface Chunk {
  readonly begin: number
  readonly data: Buffer
  readonly isLast: boolean
  readonly at: number
}

export interface FileHandle {
  readonly kind: 'file'
  readonly place: FilePlace
  /** device and number: a file that took the place of this one is another */
  readonly identity: string
  readonly canRead: boolean
  readonly canWrite: boolean
  readonly isAppending: boolean
  chunk: Chunk | undefined
  /** where a client that reads on will read next */
  next: number
}

export interface FolderHandle {
  readonly kind: 'folder'
  readonly path: string
  /** what the script listed; it is listed when it is first read */
  listing: Buffer | undefined
  at: number
}

export type Handle = FileHandle | FolderHandle

export class Handles {
  readonly #handles = new Map<string, Handle>()

  /** throws before anything is done for a handle that would be one too many */
  checkRoom() {
    if (this.#handles.size >= mostHandles)
      throw new SftpFault('failure', `At most ${mostHandles} files and directories can be open at once.`)
  }

  add(handle: Handle): Buffer {
    const id = randomBytes(idBytes)
    this.#handles.set(id.toString('hex'), handle)
    return id
  }

  file(id: Buffer): FileHandle {
    const handle = this.#handles.get(id.toString('hex'))
    if (handle?.kind !== 'file') throw new SftpFault('failure', 'The handle is not one of an open file.')
    return handle
  }

  folder(id: Buffer): FolderHandle {
    const handle = this.#handles.get(id.toString('hex'))
    if (handle?.kind !== 'folder') throw new SftpFault('failure', 'The handle is not one of an open directory.')
    return handle
  }

  close(id: Buffer) {
    if (!this.#handles.delete(id.toString('hex'))) throw new SftpFault('failure', 'The handle is not open.')
  }

  get hasFiles(): boolean {
    return [...this.#handles.values()].some(({ kind }) => kind === 'file')
  }

  get listedBytes(): number {
    let bytes = 0
    for (const handle of this.#handles.values()) if (handle.kind === 'folder') bytes += handle.listing?.length ?? 0
    return bytes
  }

  /** what was read ahead is given up: of all files, or of all but one */
  forgetChunks(except?: FileHandle) {
    for (const handle of this.#handles.values())
      if (handle.kind === 'file' && handle !== except) handle.chunk = undefined
  }
}
