// The clock that all processes of a machine have in common. `performance.now()` begins anew in each of them.

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()

/** endless is null: JSON has no word for it */
export const toMachine = (steadyMs: number): number | null => (Number.isFinite(steadyMs) ? steadyMs + offsetMs : null)

export const fromMachine = (machineMs: number | null): number =>
  machineMs === null ? Number.POSITIVE_INFINITY : machineMs - offsetMs
