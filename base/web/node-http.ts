// Node's HTTP server. Not imported: an import of node:http also loads Node's fetch, which adds 19 ms to a start.
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
export type ServerResponse = InstanceType<typeof ServerResponse>
