// Reads fault rules and says which ones apply to a request. Written as `KIND[=VALUE][:EVERY][@PATH-PREFIX]`, such as
// `latency=300`, `429:10@/v1/apps` or `malformed`.
const faultKinds = [
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

export type FaultKind = (typeof faultKinds)[number]

export interface FaultRule {
  readonly kind: FaultKind
  // Milliseconds of latency, seconds of Retry-After, seconds that the clock is ahead, or requests left of the hour.
  readonly value?: number
  // Applies to each Nth matching request; without it, to every one.
  readonly every?: number
  readonly path?: string
}

const syntax = /^(?<kind>[\w-]+)(?:=(?<value>-?\d{1,9}))?(?::(?:every\s+)?(?<every>\d{1,9}))?(?:@(?<path>\/\S*))?$/

export function readFaultRule(text: string): FaultRule {
  const parts = syntax.exec(text.trim())?.groups
  const kind = faultKinds.find((each) => each === parts?.['kind'])
  if (parts === undefined || kind === undefined) {
    throw new Error(
      `Cannot read the fault rule "${text}": write KIND[=VALUE][:EVERY][@PATH], for example 429:10@/v1/apps, with one of these kinds: ${faultKinds.join(', ')}`,
    )
  }
  const { value, every, path } = parts
  checkValue(kind, value)
  if (every !== undefined && Number(every) < 1) {
    throw new Error(`The fault rule "${text}" never applies: write a number from 1 after the colon`)
  }
  return {
    kind,
    ...(value !== undefined && { value: Number(value) }),
    ...(every !== undefined && { every: Number(every) }),
    ...(path !== undefined && { path }),
  }
}

const needed: Partial<Record<FaultKind, string>> = {
  latency: 'needs its milliseconds: write for example "latency=300"',
  clock: 'needs the seconds that it is ahead: write for example "clock=3600" or "clock=-3600"',
  quota: 'needs how many requests are left: write for example "quota=200"',
}

function checkValue(kind: FaultKind, value: string | undefined): void {
  const need = needed[kind]
  if (value === undefined) {
    if (need !== undefined) throw new Error(`The fault "${kind}" ${need}`)
    return
  }
  if (need === undefined && kind !== '429') {
    throw new Error(`The fault "${kind}" takes no value: write "${kind}" instead of "${kind}=${value}"`)
  }
  if (Number(value) < 0 && kind !== 'clock') throw new Error(`The fault "${kind}" takes no value below 0`)
}

// Returns the rules that apply to this request. Every matching rule counts it, whether or not it applies.
export function createFaultCounter(rules: readonly FaultRule[]): (path: string) => FaultRule[] {
  const seen = rules.map(() => 0)
  return (path) =>
    rules.filter((rule, index) => {
      if (rule.path !== undefined && !path.startsWith(rule.path)) return false
      const count = (seen[index] ?? 0) + 1
      seen[index] = count
      return count % (rule.every ?? 1) === 0
    })
}
