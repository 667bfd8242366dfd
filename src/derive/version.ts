// What this release is called, apart from the description, which few commands need.
export const version = '0.1.0'
