// How requests to the proxy end, for the metrics.
import { type RefusalCode, refusals } from './refusal.ts'

const passed = ['forwarded', 'tunneled', 'intercepted', 'secret_sent', 'name_differs'] as const

export type EgressOutcome = (typeof passed)[number] | RefusalCode
export const egressOutcomes: readonly EgressOutcome[] = [...passed, ...(Object.keys(refusals) as RefusalCode[])]
