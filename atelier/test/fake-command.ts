// A command of the engine in memory. Its words say what it does: `say TEXT`, `cut TEXT`, `exit CODE`, `hang`, `missing`.
// A terminal hangs, and the service's own script kills.
import type { EngineExec, ExecTemplate, OutputChunk } from '../src/engine/port.ts'
import { markName } from '../src/exec/starter.ts'

export interface FakeCommand {
  readonly id: string
  readonly template: ExecTemplate
  readonly end: (exitCode: number) => void
  /** it puts this out */
  readonly say: (text: string) => void
  /** what it was given as input */
  heard: string
  readonly sizes: (readonly [columns: number, rows: number])[]
}

type Commands = Map<string, FakeCommand>

/** what the kill script says, done to the commands of its container */
function kill(commands: Commands, [target = '', , ...spared]: readonly string[]): string {
  for (const { id, end } of commands.values()) if (id === target || (target === '-' && !spared.includes(id))) end(137)
  return 'gone\n'
}

export function startCommand(commands: Commands, template: ExecTemplate): EngineExec {
  const [program, first = '', , kind, ...rest] = template.argv
  const ended = Promise.withResolvers<number>()
  const queue: string[] = []
  let wake = () => {}
  const id = template.env[markName] ?? ''
  const end = (exitCode: number) => {
    commands.delete(id)
    ended.resolve(exitCode)
    wake()
  }
  const say = (text: string) => {
    queue.push(text)
    wake()
  }
  const command: FakeCommand = { id, template, end, say, heard: '', sizes: [] }
  commands.set(id, command)
  const said = kind === 'kill' ? kill(commands, rest) : program === 'say' || program === 'cut' ? first : ''
  if (program !== 'hang' && !template.tty) end(program === 'exit' ? Number(first) : 0)
  async function* output(): AsyncGenerator<OutputChunk> {
    if (said !== '') yield { stream: 'stdout', data: Buffer.from(said) }
    for (;;) {
      const told = new Promise<void>((ok) => (wake = ok))
      const isOver = !commands.has(id)
      for (const text of queue.splice(0)) yield { stream: 'stdout', data: Buffer.from(text) }
      if (isOver) return
      if (queue.length === 0) await told
    }
  }
  return {
    output: output(),
    write: async (data) => void (command.heard += Buffer.from(data).toString()),
    endInput: () => {},
    resize: async (columns, rows) => void command.sizes.push([columns, rows]),
    exitCode: () => ended.promise,
    drain: () => {},
    startFailure: program === 'missing' ? 'not_found' : undefined,
    isCut: program === 'cut',
    leave: () => {},
  }
}
