// The operation that goes on and on: what changes at the service and its connections, told as it changes.
import { base, type Operation } from './operation.ts'

export const eventsOperation: Operation = {
  ...{ method: 'GET', path: `${base}/events`, operationId: 'streamEvents', tag: 'status' },
  ...{ watches: true, withoutCsrf: true },
  summary: 'What changes at the service and its connections, as server-sent events',
  description:
    'First `service` (ServiceState), then `cards` (Cards) until all are told, then `whole` (WholeTold). From then on, every other second, what has changed and nothing else: `service`, `cards`, and `removed` (RemovedCards). That time goes by is no change of the service. `beat` (Beat) every 15 seconds is a sign of life. `bye` (Bye) comes before the service ends the stream; whoever comes again is told all. At most 20 listen at once, and 4 of one session.',
  ...{ act: 'service.events', status: 200, answer: 'events', refusals: [] },
  run: ({ isLetIn, session }, { live }) => live(isLetIn, session),
}
