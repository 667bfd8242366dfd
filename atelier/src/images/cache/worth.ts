// Decides when a checkpoint is worth its time: what a later build saves is weighed against what this one pays.

export interface Worth {
  /** a step of this build took so long */
  ran(ms: number): void
  /** a checkpoint took so long, or was there already */
  saved(ms: number): void
  /** after a step; `bytes`: what would be written, once that is known */
  isWorthAfter(bytes?: number): boolean
  /** before files are copied: those are what changes from build to build */
  isWorthBefore(bytes?: number): boolean
}

const longStepMs = 500
const longWorkMs = 2_000
/** until the first checkpoint of a build tells */
const usualCostMs = 100
const bytesPerMs = 200_000

export function createWorth(): Worth {
  let [lastMs, unsavedMs, workMs] = [0, 0, 0]
  let [paidMs, knownCostMs] = [0, usualCostMs]
  const costOf = (bytes: number) => Math.max(knownCostMs, bytes / bytesPerMs)
  return {
    ran(ms) {
      lastMs = ms
      unsavedMs += ms
      workMs += ms
    },
    saved(ms) {
      paidMs += ms
      if (ms > 0) knownCostMs = ms
      unsavedMs = 0
      lastMs = 0
    },
    isWorthAfter(bytes = 0) {
      const cost = 2 * costOf(bytes)
      return (lastMs >= longStepMs && lastMs >= cost) || (unsavedMs >= longWorkMs && unsavedMs >= cost)
    },
    isWorthBefore(bytes = 0) {
      const cost = costOf(bytes)
      return unsavedMs >= cost && paidMs + cost <= workMs / 2
    },
  }
}
