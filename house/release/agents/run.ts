// Ends a bundled command as the command line does: what the user can mend is one line, and a defect shows its stack, redacted.
import { UserError } from '../../../base/cli/user-error.ts'
import { redact } from '../../../base/core/redact.ts'

function end(service: string, error: unknown): never {
  const known = error instanceof UserError ? error : undefined
  const words = known ? `${service}: ${known.message}` : error instanceof Error ? error.stack : undefined
  process.stderr.write(`${redact(words ?? String(error))}\n`)
  process.exit(known?.exitCode ?? 1)
}

export async function runAgents(service: string, run: () => Promise<unknown>) {
  process.on('uncaughtException', (error) => end(service, error))
  process.stdout.on('error', () => process.exit(1))
  process.stderr.on('error', () => {})
  await run().catch((error: unknown) => end(service, error))
}
