// Scripted trouble, written `KIND[=VALUE][:EVERY][@PATH-PREFIX]`: `latency=300`, `429:10@/v1/apps`, `malformed`.
// This reads the rules and says which apply to a request; what they do to it belongs to disturbance.ts.
export const troubleKinds = [
  'latency',
  'hang',
  '401',
  '403',
  'agreement',
  '404',
  '429',
  '500',
  '502-html',
  '503',
  'malformed',
  'html',
  'drop',
  'torn',
  'clock',
  'quota',
] as const

export type TroubleKind = (typeof troubleKinds)[number]

export interface TroubleRule {
  readonly kind: TroubleKind
  // Milliseconds of latency, the seconds that a 429 puts into Retry-After, the seconds that the clock is ahead, or what is left
  // of the hour's requests.
  readonly value?: number
  // Each Nth matching request, counted from when the rule was set; every one without it.
  readonly every?: number
  readonly path?: string
}

const syntax = /^(?<kind>[\w-]+)(?:=(?<value>-?\d{1,9}))?(?::(?:every\s+)?(?<every>\d{1,9}))?(?:@(?<path>\/\S*))?$/

export function readTroubleRule(text: string): TroubleRule {
  const parts = syntax.exec(text.trim())?.groups
  const kind = troubleKinds.find((each) => each === parts?.['kind'])
  if (parts === undefined || kind === undefined) {
    throw new Error(
      `Cannot read the trouble rule "${text}": write KIND[=VALUE][:EVERY][@PATH], for example 429:10@/v1/apps, with one of these kinds: ${troubleKinds.join(', ')}`,
    )
  }
  const { value, every, path } = parts
  checkValue(kind, value)
  if (every !== undefined && Number(every) < 1) {
    throw new Error(`The trouble rule "${text}" never happens: write a number from 1 after the colon`)
  }
  return {
    kind,
    ...(value !== undefined && { value: Number(value) }),
    ...(every !== undefined && { every: Number(every) }),
    ...(path !== undefined && { path }),
  }
}

// What the value of each kind is that must have one, for example.
const needed: Partial<Record<TroubleKind, string>> = {
  latency: 'needs its milliseconds: write for example "latency=300"',
  clock: 'needs the seconds that it is ahead: write for example "clock=3600" or "clock=-3600"',
  quota: 'needs how many requests are left: write for example "quota=200"',
}

function checkValue(kind: TroubleKind, value: string | undefined): void {
  const need = needed[kind]
  if (value === undefined) {
    if (need !== undefined) throw new Error(`The trouble "${kind}" ${need}`)
    return
  }
  if (need === undefined && kind !== '429') {
    throw new Error(`The trouble "${kind}" takes no value: write "${kind}" instead of "${kind}=${value}"`)
  }
  if (Number(value) < 0 && kind !== 'clock') throw new Error(`The trouble "${kind}" takes no value below 0`)
}

// Returns the rules that strike this request; every matching rule counts it, whether or not it strikes.
export function createTroubleCounter(rules: readonly TroubleRule[]): (path: string) => TroubleRule[] {
  const seen = rules.map(() => 0)
  return (path) =>
    rules.filter((rule, index) => {
      if (rule.path !== undefined && !path.startsWith(rule.path)) return false
      const count = (seen[index] ?? 0) + 1
      seen[index] = count
      return count % (rule.every ?? 1) === 0
    })
}
