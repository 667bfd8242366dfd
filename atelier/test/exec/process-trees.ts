// Hostile process trees as scripts, from a seed: what a command may do to outlive its kill.

export const randomOf = (seed: number) => {
  let state = seed
  return (most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most)
  }
}

export interface ProcessTree {
  readonly script: string
  /** it has processes that carry no mark of a command, so the container may be stopped */
  readonly mayEscalate: boolean
}

const quoted = (script: string): string => `'${script.replaceAll("'", `'\\''`)}'`

const leaves = [
  'sleep 1000',
  'trap "" TERM INT HUP QUIT PIPE CHLD; while :; do sleep 1; done',
  'while :; do (sleep 0.02 &); sleep 0.01; done',
  'sleep 1000 & kill -STOP $!; wait',
  'kill -STOP $$; sleep 1000',
  'while :; do :; done',
  'i=0; while [ $i -lt 15 ]; do sleep 1000 & i=$((i+1)); done; wait',
  'exec sleep 1000 >/dev/null 2>&1 </dev/null',
  'sh -c "while :; do sleep 1; done" "[kworker/0:1]"',
  'cd /proc; exec 9</dev/null; sleep 1000',
]

const wrappers: readonly ((inner: string) => string)[] = [
  (inner) => `sh -c ${quoted(inner)} & wait`,
  (inner) => `setsid sh -c ${quoted(inner)} & wait`,
  (inner) => `(sh -c ${quoted(inner)} &) ; sleep 1000`,
  (inner) => `setsid sh -c ${quoted(`(sh -c ${quoted(inner)} &)`)} & exit 0`,
  (inner) => `nohup sh -c ${quoted(inner)} >/dev/null 2>&1 & sleep 0.1`,
  (inner) => `env LONG=${'x'.repeat(3_000)} A="ATELIER_EXECUTE=1" sh -c ${quoted(inner)} & wait`,
  (inner) => `env -u HOME PATH=/bin:/usr/bin sh -c ${quoted(inner)} & wait`,
]

const forgers: readonly ((inner: string) => string)[] = [
  (inner) => `env -i PATH=/bin sh -c ${quoted(inner)} & wait`,
  (inner) => `env ATELIER_EXEC=init sh -c ${quoted(inner)} & wait`,
  (inner) => `env -i ATELIER_EXEC=init PATH=/bin setsid sh -c ${quoted(inner)} & exit 0`,
  (inner) => `env ATELIER_EXEC=ex_00000000000000000000000000 sh -c ${quoted(inner)} & wait`,
  (inner) => `env ATELIER_EXEC=ex_short sh -c ${quoted(inner)} & wait`,
  (inner) => `env ATELIER_EXEC= sh -c ${quoted(inner)} & wait`,
]

export function makeTree(seed: number): ProcessTree {
  const random = randomOf(seed)
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T
  const mayEscalate = random(6) === 0
  const branch = (depth: number): string => (depth === 0 ? pick(leaves) : pick(wrappers)(branch(depth - 1)))
  const branches = Array.from({ length: 1 + random(3) }, () => `{ ${branch(random(4))}; } &`)
  if (mayEscalate) branches.push(`{ ${pick(forgers)(branch(random(2)))}; } &`)
  return { script: `${branches.join('\n')}\n${pick(['wait', 'exit 0', 'sleep 1000', 'kill -STOP $$'])}`, mayEscalate }
}
