// Lengths of time in bins that grow with them: eight for each doubling, so that what is told of a bin is within 7 % of all
// that is in it. Below a millisecond they are a sixteenth of one.

const perMs = 16
const stepBits = 3
/** below it a bin is one sixteenth of a millisecond */
const exact = 2 ** (stepBits + 1)
/** a little above two minutes: what takes longer is told as that */
const longest = 2 ** 21 - 1

const binOfUnits = (units: number): number => {
  if (units < exact) return units
  const octave = 31 - Math.clz32(units)
  return ((octave - stepBits) << stepBits) + (units >>> (octave - stepBits))
}

export const binOf = (ms: number): number => binOfUnits(ms > 0 ? Math.min(longest, Math.floor(ms * perMs)) : 0)

export const bins = binOfUnits(longest) + 1

/** the first sixteenth of a bin */
function beginOf(bin: number): number {
  if (bin < exact) return bin
  const octave = (bin >> stepBits) + stepBits - 1
  return ((bin & (2 ** stepBits - 1)) | (2 ** stepBits)) << (octave - stepBits)
}

/** the middle of a bin, to a tenth of a millisecond */
const msOf = (bin: number): number => Math.round(((beginOf(bin) + beginOf(bin + 1)) / 2 / perMs) * 10) / 10

/** what this share of all is not above; null where there are none. `countOf`: how many are in a bin */
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
