// A clock near the time of day that starts at a whole minute, so that a test's counts fall into one minute.

export function wholeMinute(): () => number {
  const [begunAt, shown] = [performance.now(), Math.floor(Date.now() / 60_000) * 60_000]
  return () => shown + Math.floor(performance.now() - begunAt)
}
