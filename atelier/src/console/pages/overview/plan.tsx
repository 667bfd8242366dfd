// The plan of the account, as the operator describes it.
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { Subscription } from '../../answers.ts'

interface Price {
  readonly interval: string
  readonly amountMinor: number
}

const isPrice = (value: unknown): value is Price =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Price).interval === 'string' &&
  Number.isFinite((value as Price).amountMinor)

/** the operator may have written anything as the currency */
function priceOf({ interval, amountMinor }: Price, currency: string): string {
  if (amountMinor === 0) return 'free of charge'
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
    return `${format.format(amountMinor / 10 ** digits)} per ${interval}`
  } catch {
    return `${amountMinor} ${currency} per ${interval}`
  }
}

export function Plan({ subscription: { currency, plans, current } }: { readonly subscription: Subscription }) {
  const plan = plans.find((one) => (one as { readonly id?: unknown }).id === current.planId) as
    | { readonly name?: unknown; readonly prices?: unknown }
    | undefined
  const prices = Array.isArray(plan?.prices) ? plan.prices.filter(isPrice) : []
  return (
    <section class="card">
      <h2>Plan</h2>
      <p>
        <UntrustedText text={typeof plan?.name === 'string' ? plan.name : current.planId} />
        {prices.length > 0 && (
          <span class="soft">
            , <UntrustedText text={prices.map((one) => priceOf(one, currency)).join(', ')} />
          </span>
        )}
      </p>
    </section>
  )
}
