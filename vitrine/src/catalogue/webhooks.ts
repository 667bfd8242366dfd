// Deliveries of the webhooks of an app, with the events that they told: what changed, without a receiver of one's own.
// Left out, because they can hold a secret: addresses of receivers, what receivers answered, and error texts that quote either.
import { any, dateTime, differs, type Field, flag, known, listed, page, resource, stamp, text, to } from './define.ts'
import { wordsOf } from './define.ts'

const deliveryStates = ['SUCCEEDED', 'FAILED', 'PENDING']

const eventTypes = wordsOf(`ALTERNATIVE_DISTRIBUTION_PACKAGE_AVAILABLE_UPDATED
  ALTERNATIVE_DISTRIBUTION_PACKAGE_VERSION_CREATED ALTERNATIVE_DISTRIBUTION_TERRITORY_AVAILABILITY_UPDATED
  APP_STORE_VERSION_APP_VERSION_STATE_UPDATED BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED
  BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED
  BACKGROUND_ASSET_VERSION_STATE_UPDATED BETA_FEEDBACK_CRASH_SUBMISSION_CREATED
  BETA_FEEDBACK_SCREENSHOT_SUBMISSION_CREATED BUILD_BETA_DETAIL_EXTERNAL_BUILD_STATE_UPDATED BUILD_UPLOAD_STATE_UPDATED`)

const ofEvent = (name: string, field: Field): Field => ({
  ...field,
  of: { relation: 'event', type: 'webhookEvents', name },
})

const webhookDelivery = resource({
  name: 'WebhookDelivery',
  type: 'webhookDeliveries',
  attributes: {
    createdDate: dateTime('When the delivery was created.'),
    deliveryState: known(deliveryStates, 'Whether the receiver has accepted it.'),
    redelivery: flag('Whether it repeats an earlier delivery.'),
    sentDate: dateTime('When it was sent.'),
    eventType: ofEvent('eventType', known(eventTypes, 'What happened.')),
    eventCreatedDate: ofEvent('createdDate', dateTime('When it happened.')),
    eventPing: ofEvent('ping', flag('Whether it was only a test.')),
    eventPayload: ofEvent(
      'payload',
      text('What receivers are sent, as JSON in a string: the resource, its old and new state.'),
    ),
  },
  links: {
    eventId: to('event', 'webhookEvents', 'eventType', 'Event that it tells; several deliveries can tell one.'),
  },
  fromPath: ['webhookId'],
})

const canBeSecret = (at: string, why: string) => differs('attribute-new', at, '', why)

const differences = [
  canBeSecret('request', 'The address of a receiver can hold its credentials.'),
  canBeSecret('response', 'What a receiver answered can hold anything.'),
  canBeSecret('errorMessage', 'It can quote the address or the answer of a receiver.'),
]

const instant = (about: string, as: string) => ({ ...any(`${about}, in RFC 3339.`, as), isSingle: true as const })

export const listWebhookDeliveries = page({
  path: '/apps/{appId}/webhook-deliveries',
  group: 'apps',
  summary: 'List the webhook deliveries of an app',
  about:
    'All deliveries of all webhooks of the app, one webhook after the other, by id. The platform states no order in time: sort by `createdDate`.',
  from: {
    through: { list: '/v1/apps/{appId}/webhooks', type: 'webhooks', cheapest: 'enabled', gives: 'webhookId' },
    read: '/v1/webhooks/{webhookId}/deliveries',
  },
  filters: {
    deliveryState: listed(deliveryStates, 'Only in these states.'),
    createdFrom: instant('Only from this instant on', 'createdDateGreaterThanOrEqualTo'),
    createdBefore: instant('Only before this instant', 'createdDateLessThan'),
  },
  asks: ['eventId'],
  returns: webhookDelivery,
  differences,
  reviewed: stamp('4.4.1', '2026-11-23', '069d2e2b563f1d1b'),
  example: '/apps/6446998001/webhook-deliveries?limit=2&createdFrom=2026-02-01T00:00:00Z',
})
