// The SHA-256 of a text.
import { hash } from 'node:crypto'

/** by way of text: Node makes a buffer of its own memory for each, which takes longer than the hash */
export const digestOf = (text: string): Buffer => Buffer.from(hash('sha256', text, 'binary'), 'latin1')
