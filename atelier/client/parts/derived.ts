// Placeholder types: the joined client has those of the table of problems instead of this file.

export type ErrorType = string
