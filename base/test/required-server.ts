// The reason to skip tests whose server is missing: printed once, and a failure in CI.

export function skipReason(server: string | undefined, name: string, remedy: string): string | false {
  if (server !== undefined) return false
  const reason = `no ${name}: ${remedy}`
  if (process.env['CI']) throw new Error(reason)
  process.stderr.write(`\n*** THE TESTS OF ${name.toUpperCase()} ARE SKIPPED: ${reason} ***\n\n`)
  return reason
}
