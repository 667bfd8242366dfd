// Measures how long this process was stalled, by its own work or by a busy machine, so that tests can subtract it from the
// time they waited.
const everyMs = 10

let last = performance.now()
let total = 0

const late = (): number => Math.max(0, performance.now() - last - 2 * everyMs)

setInterval(() => {
  total += late()
  last = performance.now()
}, everyMs).unref()

/** total since the start; the difference of two values is the stall between them */
export const stalledMs = (): number => total + late()
