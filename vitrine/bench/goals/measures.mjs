// From single answers to figures, and from figures to rows of the table.

export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const p50 = (values) => quantile(values, 0.5)
export const p99 = (values) => quantile(values, 0.99)
export const most = (values) => values.reduce((so, one) => Math.max(so, one), Number.NEGATIVE_INFINITY)

export const timesOf = (answers) => answers.map(({ ms }) => ms)
export const good = (answers) => answers.filter(({ status }) => status === 200)

/** how many of each status */
export function tally(answers) {
  const counts = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const shownTally = (answers) =>
  Object.entries(tally(answers))
    .map(([status, count]) => `${count} x ${status === '0' ? 'no answer' : status}`)
    .join(', ') || 'none'

const shown = (value, unit) => {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${Number.isFinite(value) ? value.toFixed(digits) : '-'}${unit ? ` ${unit}` : ''}`
}

const row = (id, what, value, { unit = '', goal, isMet, note = '' }) => ({
  id,
  what,
  goal,
  measured: shown(value, unit) + (note && ` (${note})`),
  value,
  isMet,
})

/** rows of the table */
export const atMost = (id, what, value, bound, { unit = '', note } = {}) =>
  row(id, what, value, { unit, note, goal: `<= ${shown(bound, unit)}`, isMet: value <= bound })
export const atLeast = (id, what, value, bound, { unit = '', note } = {}) =>
  row(id, what, value, { unit, note, goal: `>= ${shown(bound, unit)}`, isMet: value >= bound })
export const exactly = (id, what, value, wanted, { unit = '', note } = {}) =>
  row(id, what, value, { unit, note, goal: shown(wanted, unit), isMet: value === wanted })
/** a figure that nothing was promised of */
export const told = (id, what, value, { unit = '', note } = {}) =>
  row(id, what, value, { unit, note, goal: '', isMet: true })
