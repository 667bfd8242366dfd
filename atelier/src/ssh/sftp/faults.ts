// Why a request of SFTP is refused: a status for the client's program, and plain words for its user.
import { Problem } from '../../problems.ts'

export const statuses = { ok: 0, end: 1, absent: 2, denied: 3, failure: 4, malformed: 5, unsupported: 8 } as const
export type Status = keyof typeof statuses

export class SftpFault extends Error {
  readonly status: Status
  /** what the script in the container said; absent: it was not asked */
  readonly reason: string | undefined

  constructor(status: Status, message: string, reason?: string) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

const reasons: Readonly<Record<string, readonly [Status, string]>> = {
  absent: ['absent', 'There is no such file or directory.'],
  no_parent: ['absent', 'There is no such directory.'],
  denied: ['denied', 'The user of the container is not allowed to do this.'],
  reserved: ['denied', 'The path is at or below /proc, /sys or /dev.'],
  mount: ['denied', 'The file belongs to the container engine and cannot be changed.'],
  read_only: ['denied', 'The file system is read-only.'],
  link: ['failure', 'The path is a symlink, which is not followed here: name the file that it leads to.'],
  not_link: ['failure', 'The path is not a symlink.'],
  directory: ['failure', 'The path is a directory.'],
  not_directory: ['failure', 'A part of the path is not a directory.'],
  not_regular: ['failure', 'The path is not a regular file.'],
  not_empty: ['failure', 'The directory is not empty.'],
  exists: ['failure', 'There is a file or directory of this name.'],
  changed: ['failure', 'The file was replaced or removed while it was open.'],
  many: ['failure', 'The directory has more entries than the service lists.'],
  full: ['failure', 'The disk is full.'],
  too_large: ['failure', 'The file would be larger than the container allows.'],
  busy: ['failure', 'The file is in use.'],
  other: ['failure', 'The container could not do this.'],
}

/** a tool has no other way to say why it failed; these are the words of the C library, in its plain locale */
const words = [
  [/permission denied|operation not permitted/i, 'denied'],
  [/read-only file system/i, 'read_only'],
  [/no space left|quota exceeded/i, 'full'],
  [/file too large/i, 'too_large'],
  [/not empty/i, 'not_empty'],
  [/not a directory|non-directory/i, 'not_directory'],
  [/is a directory|cannot overwrite directory/i, 'directory'],
  [/file exists/i, 'exists'],
  [/resource busy/i, 'busy'],
  [/no such file|nonexistent/i, 'absent'],
] as const

/** `text`: what the script in the container says after `no` */
export function faultOf(text: string): SftpFault {
  const isWords = text.startsWith('error')
  const said = (isWords ? words.find(([pattern]) => pattern.test(text))?.[1] : text) ?? ''
  const reason = Object.hasOwn(reasons, said) ? said : 'other'
  return new SftpFault(...reasons[reason]!, reason)
}

/** a fault that the client is told; undefined: its channel ends */
export function asFault(error: unknown): SftpFault | undefined {
  if (error instanceof SftpFault) return error
  return error instanceof Problem ? new SftpFault('failure', error.message) : undefined
}
