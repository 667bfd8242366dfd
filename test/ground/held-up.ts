// For how long this process itself was held up, by its own work or by others on a busy machine. What somebody waited for is
// measured without it.
const everyMs = 10

let last = performance.now()
let total = 0

const late = (): number => Math.max(0, performance.now() - last - 2 * everyMs)

setInterval(() => {
  total += late()
  last = performance.now()
}, everyMs).unref()

/** since it began; the difference of two is what lies between them */
export const heldUpMs = (): number => total + late()
