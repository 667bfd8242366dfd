// The clock that all processes of a machine have in common. `performance.now()` begins anew in each of them.

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** endless is null: JSON has no word for it */
export const toMachine = (steadyMs: number): number | null => (Number.isFinite(steadyMs) ? steadyMs + offsetMs : null)

export const fromMachine = (machineMs: number | null): number =>
  machineMs === null ? Number.POSITIVE_INFINITY : machineMs - offsetMs

/** the wall's clock as it shows now, which nobody sets from now on: the same in every process that is given the answer */
export const beginClock = (): number => Date.now() - (toMachine(performance.now()) ?? 0)

export const clockFrom =
  (begun: number): (() => number) =>
  () =>
    begun + (toMachine(performance.now()) ?? 0)
