// Why an archive is refused. The caller reads the entry and the reason.
import { Problem, refuse } from '../problems.ts'

export type ArchiveReason =
  | 'bad_header'
  | 'bad_checksum'
  | 'bad_size'
  | 'bad_mode'
  | 'bad_name'
  | 'bad_target'
  | 'hard_link'
  | 'device'
  | 'fifo'
  | 'sparse'
  | 'unknown_kind'
  | 'duplicate'
  | 'below_symlink'
  | 'below_file'
  | 'missing_end'
  | 'trailing_data'
  | 'existing_symlink'
  | 'existing_directory'
  | 'existing_file'
  | 'existing_special'
  | 'engine_mount'

const longestShown = 256

export function invalidArchive(reason: ArchiveReason, entry: string | Buffer | null): Problem {
  const name = entry === null ? null : entry.toString('utf8').slice(0, longestShown).toWellFormed()
  return refuse('invalid_archive', { entry: name, reason })
}
