// How much one call gives at most; what is left is told with the call that reads on.

export const bounds = { rows: 200, mostRows: 1_000, values: 50, bytes: 100_000, walkMs: 20_000 }
