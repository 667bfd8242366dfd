// Where log lines go. Under load many of them leave in one write, which costs as much as a single line.

export interface LogOutput {
  readonly isTTY?: boolean
  readonly writableLength: number
  write(text: string): unknown
  once(event: 'drain', listener: () => void): unknown
}

const mostGathered = 64 * 1024

/** Gathers what is written in one turn of the event loop, and writes the rest when the process ends. */
export function gathering(out: LogOutput): LogOutput {
  // a person at a terminal reads each line as it comes
  if (out.isTTY) return out
  let gathered = ''
  const flush = () => {
    const text = gathered
    gathered = ''
    if (text !== '') out.write(text)
  }
  process.on('exit', flush)
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
