// Route 9: limits and usage.
import type { Answer } from '../api/route.ts'
import { defineRoute } from './service.ts'

export const readSubscription = defineRoute({
  method: 'GET',
  path: '/subscription/config',
  operationId: 'readSubscription',
  tag: 'subscription',
  summary: 'Read plans, limits and usage',
  description: 'Usage counts what is neither deleted nor failed.',
  credential: 'either',
  answers: { 200: { json: 'Subscription', description: 'The limits that are enforced for the caller.' } },
  refusals: [],
  async run({ caller: { account } }, { limits, settings, store }): Promise<Answer> {
    const { containers, memoryMiB, cpu } = await store.containers.usage(account)
    const { images } = await store.images.usage(account)
    const free = { id: 'free', name: 'Free', prices: [{ interval: 'month', amountMinor: 0 }], limits }
    const { currency = 'EUR', plans = [free] } = settings.subscription ?? {}
    const [{ id: planId = 'free' } = {}] = plans as readonly { readonly id?: string }[]
    const current = { planId, limits, usage: { containers, memoryMiB, cpu, images } }
    return { status: 200, body: { currency, plans, current } }
  },
})
