// A clock that shows about the time of day, and begins with a minute: what a test counts by the minute is in one of them.

export function wholeMinute(): () => number {
  const [begunAt, shown] = [performance.now(), Math.floor(Date.now() / 60_000) * 60_000]
  return () => shown + Math.floor(performance.now() - begunAt)
}
