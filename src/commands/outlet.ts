// Where the lines of a log go. Under load many of them leave in one write, which costs as much as one line did.

/** standard error, as far as a log needs it */
export interface Outlet {
  readonly isTTY?: boolean
  readonly writableLength: number
  write(text: string, done?: () => void): unknown
  /** told when there is room again */
  once(event: 'drain', listener: () => void): unknown
}

/** more is not gathered */
const mostGathered = 64 * 1024

/** so many bytes in one write stay together in a pipe that several processes write to (PIPE_BUF) */
const mostTogether = 4_096

/** whole lines, as many as stay together; a longer one is a piece of its own */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of text.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > mostTogether) {
      pieces.push(piece)
      piece = ''
    }
    piece += line
  }
  return piece === '' ? pieces : [...pieces, piece]
}

interface Pieces extends Outlet {
  /** all at once, since the process ends */
  drain(): void
}

/** Piece by piece, each when the one before has left: what waits in the stream would leave as one. */
function inPieces(out: Outlet): Pieces {
  const waiting: string[] = []
  const listeners: (() => void)[] = []
  let length = 0
  let isBusy = false

  function next() {
    const piece = waiting.shift()
    isBusy = piece !== undefined
    if (piece === undefined) for (const listener of listeners.splice(0)) listener()
    else {
      length -= piece.length
      out.write(piece, next)
    }
  }

  return {
    isTTY: false,
    get writableLength() {
      return out.writableLength + length
    },
    write(text) {
      waiting.push(...piecesOf(text))
      length += text.length
      if (!isBusy) next()
    },
    once: (_event, listener) => void listeners.push(listener),
    drain: () => waiting.length > 0 && out.write(waiting.splice(0).join('')),
  }
}

/**
 * Gathers what is written in one turn of the event loop; what is left when the process ends is written then. `isShared`: other
 * processes write to the same place.
 */
export function gathering(to: Outlet, isShared = false): Outlet {
  // a person at a terminal reads lines beside those of others
  if (to.isTTY) return to
  const pieces = isShared ? inPieces(to) : undefined
  const out = pieces ?? to
  let gathered = ''
  const flush = () => {
    const text = gathered
    gathered = ''
    if (text !== '') out.write(text)
  }
  process.on('exit', () => {
    flush()
    pieces?.drain()
  })
  return {
    isTTY: false,
    get writableLength() {
      return out.writableLength + gathered.length
    },
    write(text) {
      if (gathered === '') setImmediate(flush)
      gathered += text
      if (gathered.length > mostGathered) flush()
      return true
    },
    once: (event, listener) => out.once(event, listener),
  }
}
