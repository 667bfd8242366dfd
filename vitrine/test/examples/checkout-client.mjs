// Lets a recipe import `vitrine/client` in a checkout without a built package: scripts/try-package runs the
// same recipe with the installed package.
import { registerHooks } from 'node:module'

const client = new URL('../../client/vitrine.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitrine/client' ? { url: client, shortCircuit: true } : next(specifier, context),
})
