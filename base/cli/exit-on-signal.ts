// Ends a process by a signal before it serves: process 1 of a container ignores signals without a handler.

/** returns a function that leaves the signals to other handlers */
export function exitOnSignal(): () => void {
  const end = () => process.exit(0)
  process.on('SIGTERM', end).on('SIGINT', end)
  return () => void process.off('SIGTERM', end).off('SIGINT', end)
}
