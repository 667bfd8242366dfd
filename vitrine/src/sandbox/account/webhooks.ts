// Webhooks with their deliveries and events. Addresses, answers and errors hold secrets, as the real ones can.
import { flagshipId, sampleApps } from './apps.ts'
import { buildId } from './feedback.ts'
import { hexDigest, pick, range, readTable, row, sampleInstant, uuid } from './rows.ts'
import { versionId } from './versions.ts'

// name | app | deliveries | enabled | first digit of its id, by which readers may order them
const webhooks = readTable(`release bot|${flagshipId}|37|true|2
chat|${flagshipId}|9|true|6
old receiver|${flagshipId}|3|false|4
nothing yet|${flagshipId}|0|true|5
lantern bot|${sampleApps[1]?.id}|2|true|3`).map(([name = '', app = '', count = '', enabled = '', digit = '']) => ({
  id: digit + uuid(`webhook ${app} ${name}`).slice(1),
  name,
  app,
  count: Number(count),
  isEnabled: enabled === 'true',
}))

const addressOf = (id: string): string =>
  `https://bot:${hexDigest(id).slice(0, 12)}@hooks.example.com/?token=${hexDigest(`token ${id}`).slice(0, 16)}`

const webhookRows = webhooks.map(({ id, name, app, isEnabled }) =>
  row('webhooks', id, {
    enabled: isEnabled,
    eventTypes: ['APP_STORE_VERSION_APP_VERSION_STATE_UPDATED', 'BUILD_UPLOAD_STATE_UPDATED'],
    name,
    url: addressOf(id),
    app,
  }),
)

const states = [
  'PREPARE_FOR_SUBMISSION',
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'READY_FOR_DISTRIBUTION',
]

interface Happening {
  readonly eventType: string
  readonly type: string
  readonly instance: string
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
}

function happening(app: string, number: number): Happening {
  if (number % 3 === 2)
    return {
      eventType: 'BUILD_UPLOAD_STATE_UPDATED',
      type: 'buildUploadStateUpdated',
      instance: 'buildUploads',
      id: buildId(app, number % 4),
      attributes: { oldState: 'PROCESSING', newState: number % 2 === 0 ? 'COMPLETE' : 'FAILED' },
    }
  return {
    eventType: 'APP_STORE_VERSION_APP_VERSION_STATE_UPDATED',
    type: 'appStoreVersionAppVersionStateUpdated',
    instance: 'appStoreVersions',
    id: versionId(app, number % 2),
    attributes: { oldValue: pick(states, number), newValue: pick(states, number + 1) },
  }
}

function payloadOf(event: string, { type, instance, id, attributes }: Happening, timestamp: string): string {
  const self = `https://api.appstoreconnect.apple.com/v1/${instance}/${id}`
  const relationships = { instance: { data: { type: instance, id }, links: { self } } }
  return JSON.stringify({
    data: { type, id: event, version: 1, attributes: { ...attributes, timestamp }, relationships },
  })
}

// The last delivery of each webhook is a test, and the one before it repeats its predecessor.
const isRepeat = (number: number, count: number): boolean => number > 0 && number === count - 2
const numberOf = (number: number, count: number): number => (isRepeat(number, count) ? number - 1 : number)
const eventId = (app: string, number: number): string => uuid(`webhook event ${app} ${number}`)

const deliveryRows = webhooks.flatMap(({ id, app, count }) =>
  range(count).map((number) => {
    const deliveryState = number === count - 1 ? 'PENDING' : number % 5 === 3 ? 'FAILED' : 'SUCCEEDED'
    const isFailed = deliveryState === 'FAILED'
    return row('webhookDeliveries', uuid(`webhook delivery ${id} ${number}`), {
      createdDate: sampleInstant(600 + number * 7, 'decimals'),
      deliveryState,
      errorMessage: isFailed ? `No answer from ${addressOf(id)}` : null,
      redelivery: isRepeat(number, count),
      sentDate: deliveryState === 'PENDING' ? null : sampleInstant(600 + number * 7, 'seconds'),
      request: { url: addressOf(id) },
      response: isFailed
        ? null
        : { httpStatusCode: 200, body: `session=${hexDigest(`session ${id} ${number}`).slice(0, 24)}` },
      event: eventId(app, numberOf(number, count)),
      webhook: id,
    })
  }),
)

const mostOf = (app: string): number => Math.max(...webhooks.filter((one) => one.app === app).map(({ count }) => count))

const eventRows = [...new Set(webhooks.map(({ app }) => app))].flatMap((app) =>
  range(mostOf(app)).map((number) => {
    const found = happening(app, number)
    const id = eventId(app, number)
    return row('webhookEvents', id, {
      eventType: found.eventType,
      payload: payloadOf(id, found, sampleInstant(600 + number * 7, 'decimals')),
      ping: number === mostOf(app) - 1,
      createdDate: sampleInstant(600 + number * 7, 'seconds'),
    })
  }),
)

export const rows = [...webhookRows, ...deliveryRows, ...eventRows]
