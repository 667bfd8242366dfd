// Stands for what is derived from the table of problems, until the parts are joined: src/derive/client.ts leaves this file out.

export type ErrorType = string
export type ErrorCode = string
