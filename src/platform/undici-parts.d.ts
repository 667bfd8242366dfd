// What the package types as a whole.
declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
