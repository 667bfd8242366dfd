// Programs that try to outlive their kill, each in its own way.

interface HostileProgram {
  readonly argv: readonly string[]
  /** when it is killed */
  readonly ms: number
  /** what the user may have in all */
  readonly processes: number
}

const shell = (script: string): string[] => ['sh', '-c', script]
const perl = (script: string): string[] => ['perl', '-e', script]
const python = (script: string): string[] => ['python3', '-c', script]

const ignoring = '$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT USR1 USR2 PIPE TSTP); '
const hop = 'fork and exit while 1'

export const hostilePrograms: Readonly<Record<string, HostileProgram>> = {
  'a storm of forks': {
    argv: shell('storm() { storm | storm & }; storm; while :; do storm; done'),
    ms: 150,
    processes: 150,
  },
  'a storm of forks from perl': { argv: perl('fork while 1'), ms: 60, processes: 300 },
  'a process that moves on by forking': { argv: perl(hop), ms: 30, processes: 2000 },
  'four of them in sessions of their own': {
    argv: perl(`${ignoring} use POSIX; fork; fork; while (1) { fork and exit; POSIX::setsid() }`),
    ms: 30,
    processes: 2000,
  },
  'what fills the limit of processes': {
    argv: perl(
      'while (1) { my $p = fork; if (!defined $p) { select undef, undef, undef, 0.01 } elsif (!$p) { sleep 1000; exit } }',
    ),
    ms: 200,
    processes: 80,
  },
  'what continues its stopped children': {
    argv: perl(
      `${ignoring} my @c; for (1..20) { my $p = fork; if (!$p) { sleep 1 while 1 } push @c, $p } while (1) { kill "CONT", @c }`,
    ),
    ms: 50,
    processes: 100,
  },
  'a daemon without an environment': {
    argv: shell('(setsid env -i sh -c "trap : TERM; cd /; exec <&- >&- 2>&-; while :; do sleep 1; done" &) ; exit 0'),
    ms: 30,
    processes: 100,
  },
  'what stops its supervisor': { argv: shell('while :; do kill -STOP $PPID; done'), ms: 50, processes: 100 },
  'what kills its supervisor': {
    argv: shell('(setsid sleep 1000 &) ; sleep 1000 & kill -9 $PPID; while :; do sleep 0.01; done'),
    ms: 0,
    processes: 100,
  },
  'a process whose first thread has ended': {
    argv: python(
      'import ctypes, platform, threading, time; threading.Thread(target=lambda: time.sleep(1000)).start(); ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)',
    ),
    ms: 150,
    processes: 100,
  },
  'a parent that waits in vfork': {
    argv: python('import ctypes, time; ctypes.CDLL(None).vfork(); time.sleep(1000)'),
    ms: 100,
    processes: 100,
  },
  'a process that asked to be traced': {
    argv: python(
      'import ctypes, os, time; ctypes.CDLL(None).ptrace(0, 0, 0, 0); pid = os.fork(); os.kill(os.getpid(), 10); time.sleep(1000)',
    ),
    ms: 100,
    processes: 100,
  },
  'a process namespace inside': {
    argv: shell('unshare --user --pid --fork sh -c "trap : TERM; sleep 1000 & sleep 1000" || sleep 1000'),
    ms: 60,
    processes: 100,
  },
}
