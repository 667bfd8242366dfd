// Latencies in bins that grow: eight for each doubling, so that a bin's value is within 7 %. Below a millisecond they are a
// sixteenth of one.

const perMs = 16
const stepBits = 3
const exact = 2 ** (stepBits + 1)
/** about two minutes: longer times count as this */
const longest = 2 ** 21 - 1

const binOfUnits = (units: number): number => {
  if (units < exact) return units
  const octave = 31 - Math.clz32(units)
  return ((octave - stepBits) << stepBits) + (units >>> (octave - stepBits))
}

export const binOf = (ms: number): number => binOfUnits(ms > 0 ? Math.min(longest, Math.floor(ms * perMs)) : 0)
export const bins = binOfUnits(longest) + 1

function beginOf(bin: number): number {
  if (bin < exact) return bin
  const octave = (bin >> stepBits) + stepBits - 1
  return ((bin & (2 ** stepBits - 1)) | (2 ** stepBits)) << (octave - stepBits)
}

const msOf = (bin: number): number => Math.round(((beginOf(bin) + beginOf(bin + 1)) / 2 / perMs) * 10) / 10

/** the value that this share does not exceed; null without any. `countOf`: the count of a bin */
export function quantile(share: number, countOf: (bin: number) => number): number | null {
  let all = 0
  for (let bin = 0; bin < bins; bin++) all += countOf(bin)
  if (all === 0) return null
  const rank = Math.max(1, Math.ceil(share * all))
  let seen = 0
  for (let bin = 0; bin < bins; bin++) {
    seen += countOf(bin)
    if (seen >= rank) return msOf(bin)
  }
  return null
}
