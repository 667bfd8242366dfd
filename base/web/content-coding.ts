// The content coding that a caller prefers, by the Accept-Encoding field (RFC 9110, 12.5.3).

/** the smallest first: it wins at equal weight */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

const weightForm = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    if (name !== '') weights.set(name, weightForm.test(weight) ? Number(weight) : 0)
  }
  return weights
}

export function codingFor(accepted: string | undefined, kept: readonly Coding[]): Coding | undefined {
  if (accepted === undefined) return undefined
  const weights = weightsOf(accepted)
  const other = weights.get('*') ?? 0
  let [best, most]: [Coding | undefined, number] = [undefined, 0]
  for (const coding of kept) {
    const weight = weights.get(coding) ?? other
    if (weight > most) [best, most] = [coding, weight]
  }
  return (weights.get('identity') ?? 0) > most ? undefined : best
}
