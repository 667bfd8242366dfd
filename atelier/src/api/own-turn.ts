// Turns of the event loop for work that holds it for long: one piece in each turn, so that what is small is served between them.

let last: Promise<void> = Promise.resolve()

/** resolves in a turn of its own, after all who asked before */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((ok) => setImmediate(ok)))
  return last
}
