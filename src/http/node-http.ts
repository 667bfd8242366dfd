// Node's HTTP server. Fetched, since an import reads every name that the module has: one of them is the client of WebSocket,
// and brings all of Node's own fetch along, which is 19 ms of a start.
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
