// Lets a recipe import `vitrine/client` in a checkout, where the package has not been built: scripts/try-package runs the
// same recipe over the package as it is installed.
import { registerHooks } from 'node:module'

const client = new URL('../../client/vitrine.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitrine/client' ? { url: client, shortCircuit: true } : next(specifier, context),
})
