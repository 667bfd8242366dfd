// A script of Redis, which runs as one atomic step. In its own file, so that its users load no client.
import { hash } from 'node:crypto'

export interface Script {
  readonly text: string
  readonly sha: string
}

export const script = (text: string): Script => ({ text, sha: hash('sha1', text) })
