// The parts of undici that we use. All of it would be 85 files more at every start, which is 40 ms and 7 MB.
import errors from 'undici/lib/core/errors.js'
import Pool from 'undici/lib/dispatcher/pool.js'

export { errors, Pool }
