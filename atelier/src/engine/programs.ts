// Whether a command can be started, by looking: the engine's init hides that it could not be.
import { posix } from 'node:path'
import { statPath } from './archive.ts'
import type { EngineLink } from './link.ts'
import type { PathState, ProgramFound, ProgramQuery } from './port.ts'

/** what stands at the end of a path's links */
async function followedState(link: EngineLink, id: string, path: string): Promise<PathState | undefined> {
  const state = await statPath(link, id, path)
  if (state?.type !== 'symlink') return state
  const target = state.linkTarget === null ? undefined : await statPath(link, id, state.linkTarget)
  return target?.type === 'symlink' ? undefined : target
}

export async function followedProgram(link: EngineLink, id: string, path: string) {
  const state = await followedState(link, id, path)
  if (!state) return 'absent'
  return state.type === 'file' && (state.mode & 0o111) !== 0 ? 'executable' : 'not_executable'
}

/** as execvp goes: a file that cannot be executed is passed over, and remembered */
export async function findProgram(link: EngineLink, id: string, query: ProgramQuery): Promise<ProgramFound> {
  const { argv0, searchPath, workingDir } = query
  const directory = await followedState(link, id, workingDir)
  // one that is absent is made at the start
  if (directory && directory.type !== 'directory') return { failure: 'bad_working_dir' }
  const places = argv0.includes('/') ? [''] : searchPath.split(':')
  let failure: 'not_found' | 'not_executable' = 'not_found'
  for (const place of places) {
    const path = posix.resolve(workingDir, place, argv0)
    const found = await followedProgram(link, id, path)
    if (found === 'executable') return { path }
    if (found === 'not_executable') failure = 'not_executable'
  }
  return { failure }
}
