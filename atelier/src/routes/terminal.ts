// A terminal in a container, over WebSocket: an addition to the contract.
import { answered } from '../api/route.ts'
import { mostColumns } from '../terminal/control.ts'
import { idSchema } from './schemas.ts'
import { defineRoute } from './service.ts'

const size = { type: 'integer', minimum: 1, maximum: mostColumns } as const

export const openTerminal = defineRoute({
  method: 'GET',
  path: '/containers/terminal',
  operationId: 'openTerminal',
  tag: 'containers',
  summary: 'Open a terminal in a container, over WebSocket',
  description:
    'An addition to the contract. The request is the opening handshake of a WebSocket. A shell runs on a terminal of its own, as the user of the container. Binary messages are its input and output. Text messages are JSON: the client may send `{"type":"resize","columns":…,"rows":…}` and `{"type":"taken","bytes":…}`; the service sends `start`, and last `exit` or `error`, as a stream of POST /containers/exec does. The shell and all that it started ends with the connection. Without the handshake the answer is 426 where it would be 101, so a GET tells a browser why its WebSocket was refused. With a session, `Origin` must be that of this service.',
  credential: 'either',
  scope: 'ssh',
  isUpgrade: true,
  query: {
    containerId: { description: 'The container.', schema: idSchema, required: true },
    columns: { description: 'Width of the terminal.', schema: { ...size, default: 80 } },
    rows: { description: 'Height of the terminal.', schema: { ...size, default: 24 } },
    window: {
      description:
        'How many bytes of output may be on their way before the client confirms them by `taken`; without it the client confirms none.',
      schema: { type: 'integer', minimum: 4_096, maximum: 16_777_216 },
    },
  },
  answers: { 101: { description: 'The connection is a WebSocket.' } },
  refusals: [
    'csrf_failed',
    'container_not_found',
    'container_not_running',
    'upgrade_required',
    'terminal_limit',
    'engine_error',
    'engine_unavailable',
  ],
  async run({ caller, query, exchange }, { containers, terminals }) {
    const { containerId, columns, rows, window } = query
    const record = await containers.running(caller.account, containerId)
    exchange.record.target = record.id
    await terminals.open({ caller, record, wish: { columns, rows, window }, exchange })
    return answered
  },
})
