// Writes to standard output, one piece after the other: a slow reader slows the read down.

/** the reader closed the pipe, as `head` does: not a failure */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

export class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

export type Write = (text: string) => Promise<void>

export const writeOut: Write = (text) =>
  new Promise((ok, no) => {
    process.stdout.write(text, (error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException
      if (!error) ok()
      else if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') no(new ReaderGone())
      else no(new Unwritable(error.message))
    })
  })
