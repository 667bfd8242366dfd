// One connection to the PostgreSQL inside: statements in order, waits for what another session has, and the timeouts of
// statements and of idle transactions.
import type { SimulatedNode } from '../node.ts'
import type { SimulatedSocket } from '../socket.ts'
import { createMessageReader, type Message, type PostgresValue, says } from './messages.ts'
import { type Answer, PostgresError } from './rows.ts'
import { type StatementHost, Statements } from './statements.ts'

/** what a session has of its server */
export interface SessionHost extends StatementHost {
  readonly isHanging: boolean
  readonly isStarting: boolean
  /** how long a statement takes */
  slowMs(): number
  ended(session: Session): void
  note(session: Session, asked: Asked, outcome: Outcome): void
}

/** one message that asks: one text of several statements, or one with values */
export interface Asked {
  readonly text: string
  readonly values: readonly PostgresValue[] | undefined
}

export interface Outcome {
  readonly at: number
  readonly answers: readonly Answer[]
  /** its code */
  readonly error: string | undefined
  /** as it began: new transactions cannot write */
  readonly isReadOnly: boolean
}

interface Work {
  readonly asked: Asked
  readonly texts: string[]
  readonly answers: Answer[]
  isReadOnly: boolean
  isThought: boolean
}

export class Session {
  readonly id: number
  readonly #host: SessionHost
  readonly #socket: SimulatedSocket
  readonly #read = createMessageReader()
  readonly #statements: Statements
  #parsed = ''
  #bound: readonly PostgresValue[] = []
  /** what was asked and is not answered; `ready` where the client waits for that */
  readonly #work: (Work | 'ready')[] = []
  #held = ''
  #output = ''
  #stopWaiting: (() => void) | undefined
  #idle: NodeJS.Timeout | undefined
  isEnded = false

  constructor(host: SessionHost, socket: SimulatedSocket, id: number) {
    this.#host = host
    this.#statements = new Statements(host)
    this.#socket = socket
    this.id = id
    socket.onText = (piece) => {
      this.#held += piece
      this.resume()
    }
    socket.on('error', () => this.end())
    socket.on('close', () => this.end())
  }

  get client(): SimulatedNode {
    return this.#socket.peerNode
  }

  /** reads what arrived, unless its server hangs */
  resume() {
    if (this.#host.isHanging || this.isEnded) return
    const held = this.#held
    this.#held = ''
    for (const message of this.#read(held)) this.#receive(message)
    this.#go()
  }

  end() {
    if (this.isEnded) return
    this.isEnded = true
    clearTimeout(this.#idle)
    this.#stopWaiting?.()
    this.#statements.finish(false)
    this.#host.ended(this)
  }

  /** says why, and closes the connection */
  fail(code: string, text: string) {
    this.#socket.writeBytes(this.#output + says.error('FATAL', code, text))
    this.#output = ''
    this.#socket.end()
    this.end()
  }

  #receive(message: Message) {
    if (this.isEnded) return
    clearTimeout(this.#idle)
    switch (message.kind) {
      case 'startup':
        return this.#start(message.settings)
      case 'query':
        return this.#ask(message.text, undefined).push('ready')
      case 'parse':
        return void (this.#parsed = message.text)
      case 'bind':
        return void (this.#bound = message.values)
      case 'describe':
        return
      case 'execute':
        return void this.#ask(this.#parsed, this.#bound)
      case 'sync':
        return void this.#work.push('ready')
      case 'terminate':
        this.#socket.end()
        return this.end()
      default:
        return message satisfies never
    }
  }

  #start(settings: ReadonlyMap<string, string>) {
    if (this.#host.isStarting) return this.fail('57P03', 'the database system is starting up')
    this.#statements.settings = settings
    this.#output += says.begun() + says.ready('I')
  }

  #ask(text: string, values: readonly PostgresValue[] | undefined) {
    // a step of a schema is one text; others of several statements have no `;` within
    const texts = values || !text.startsWith('BEGIN;') ? [text] : text.split('; ')
    this.#work.push({ asked: { text, values }, texts, answers: [], isReadOnly: false, isThought: false })
    return this.#work
  }

  #go() {
    while (!this.#stopWaiting && !this.isEnded) {
      const [next] = this.#work
      if (!next) break
      if (next === 'ready') this.#ready()
      else if (next.texts.length === 0) this.#answered(next, undefined)
      else this.#try(next)
    }
    if (this.#output !== '') this.#socket.writeBytes(this.#output)
    this.#output = ''
  }

  #ready() {
    this.#work.shift()
    const { status } = this.#statements
    this.#output += says.ready(status)
    const ms = this.#statements.setting('idle_in_transaction_session_timeout')
    if (status === 'I' || this.#work.length > 0 || ms === 0) return
    const late = () => this.fail('25P03', 'terminating connection due to idle-in-transaction timeout')
    this.#idle = setTimeout(late, ms)
  }

  #answered(work: Work, error: PostgresError | undefined) {
    const { asked, answers, isReadOnly } = work
    this.#work.shift()
    this.#host.note(this, asked, { at: this.#host.now(), answers, error: error?.code, isReadOnly })
    if (asked.values && !error) this.#output += says.parsed
    for (const { columns, rows, tag } of answers) {
      if (columns.length > 0 || asked.values) this.#output += says.columns(columns)
      this.#output += rows.map(says.row).join('') + says.complete(tag)
    }
    if (!error) return
    this.#output += says.error(error.severity, error.code, error.message)
    // the rest of what was sent together is left out
    while (this.#work.length > 0 && this.#work[0] !== 'ready') this.#work.shift()
  }

  #failed(work: Work, error: unknown) {
    if (!(error instanceof PostgresError)) throw error
    this.#statements.failed()
    this.#answered(work, error)
  }

  /** waits until `begin` calls back, or until the timeout of a statement */
  #wait(work: Work, begin: (go: () => void) => () => void) {
    const resume = () => {
      this.#stopWaiting?.()
      this.#stopWaiting = undefined
    }
    const stop = begin(() => {
      resume()
      this.#go()
    })
    const patienceMs = this.#statements.setting('statement_timeout')
    const late = () => {
      resume()
      this.#failed(work, new PostgresError('57014', 'canceling statement due to statement timeout'))
      this.#go()
    }
    const timer = patienceMs > 0 ? setTimeout(late, patienceMs) : undefined
    this.#stopWaiting = () => {
      stop()
      clearTimeout(timer)
    }
  }

  #try(work: Work) {
    const { turns } = this.#host
    const [text = ''] = work.texts
    const thinkMs = work.isThought ? 0 : this.#host.slowMs()
    work.isThought = true
    if (work.answers.length === 0) work.isReadOnly = this.#statements.cannotWrite
    if (thinkMs > 0)
      return this.#wait(work, (go) => {
        const timer = setTimeout(go, thinkMs)
        return () => clearTimeout(timer)
      })
    const values = work.asked.values ?? []
    const turn = this.#statements.turnFor(text, values)
    if (turn !== undefined && !turns.take(turn, this.#statements))
      return this.#wait(work, (go) => turns.wait(turn, this.#statements, go))
    try {
      work.answers.push(this.#statements.run(text, values))
      work.texts.shift()
    } catch (error) {
      this.#failed(work, error)
    }
  }
}
