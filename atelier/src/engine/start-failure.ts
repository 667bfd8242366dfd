// Recognises a command that could not be started. The engine puts its own words into the command's output, and they are all
// that tells; they never reach the caller.
import type { OutputChunk, StartFailure } from './port.ts'

const longestText = 8192

/** the engine's words, from the first byte of the output to its end */
const engineText = /^(?:OCI runtime exec failed: |Error: \w+: (?:exec failed: .*|.*: OCI (?:runtime|permission)))/s
/** the runtime's own words, after it has entered the container: the path, and why it cannot be run */
const runtimeText = /^exec (\/[^\n]*): (exec format error|no such file or directory|permission denied)\n$/

function reasonOf(text: string): StartFailure {
  if (/chdir to cwd|mkdir .* cwd|workdir/i.test(text)) return 'bad_working_dir'
  if (/permission denied|exec format error|is a directory/i.test(text)) return 'not_executable'
  if (/executable file not found|no such file or directory|not a directory/i.test(text)) return 'not_found'
  return 'other'
}

/** Holds the output back for as long as it may be nothing but such words. */
export class StartFailureText {
  readonly #argv0: string
  #held: OutputChunk[] = []
  #text = ''
  #isPassing = false

  constructor(argv0: string) {
    this.#argv0 = argv0
  }

  /** what may be passed on now */
  take(chunk: OutputChunk): OutputChunk[] {
    if (this.#isPassing) return [chunk]
    this.#held.push(chunk)
    this.#text += chunk.data.toString('latin1')
    const mayBe = ['OCI runtime exec failed: ', 'Error: ', 'exec /'].some(
      (start) => start.startsWith(this.#text.slice(0, start.length)) && this.#text.length <= longestText,
    )
    return mayBe ? [] : this.rest()
  }

  /** the output was the command's own after all */
  rest(): OutputChunk[] {
    this.#isPassing = true
    return this.#held.splice(0)
  }

  get isHolding() {
    return this.#held.length > 0
  }

  /** `hadProcess`: the engine remembers a process of the command, so that these words can only be the runtime's */
  failure(exitCode: number | undefined, hadProcess: boolean): StartFailure | undefined {
    if (exitCode === undefined || exitCode === 0) return undefined
    const [, path = '', reason = ''] = runtimeText.exec(this.#text) ?? []
    if (path === this.#argv0 || (path !== '' && !this.#argv0.includes('/') && path.endsWith(`/${this.#argv0}`)))
      return reasonOf(reason)
    const isRefused = exitCode >= 125 && exitCode <= 127 && !hadProcess && engineText.test(this.#text)
    return isRefused ? reasonOf(this.#text) : undefined
  }
}
