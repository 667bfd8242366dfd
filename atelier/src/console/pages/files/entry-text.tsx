// Names of files as they are shown: they may hold anything, and are text alone.
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { FolderEntry } from '../../answers.ts'

const isPlain = (byte: number): boolean => byte >= 0x20 && byte < 0x7f

/** of a name that is not UTF-8: each other byte by its number */
const exactName = (base64: string): string =>
  Array.from(atob(base64), (letter) => {
    const byte = letter.charCodeAt(0)
    return isPlain(byte) ? letter : `\\x${byte.toString(16).padStart(2, '0')}`
  }).join('')

export const shownName = ({ name, nameBase64 }: FolderEntry): string =>
  nameBase64 === null ? name : exactName(nameBase64)

export const EntryName = ({ entry }: { readonly entry: FolderEntry }) => (
  <UntrustedText text={entry.type === 'directory' ? `${shownName(entry)}/` : shownName(entry)} />
)

/** `folder` is absolute */
export const pathOf = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`)
