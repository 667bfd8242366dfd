// Faults planted in the breaker and in its news between replicas, each a promise broken on purpose.
import type { Mutant } from '../../../../base/test/simulator/mutant.ts'

const file = 'vitrine/src/platform/retry/breaker.ts'
const news = 'vitrine/src/replicas/breaker-news.ts'

export const mutants: readonly Mutant[] = [
  {
    name: 'six failures in a row open it',
    seed: 7,
    isShort: true,
    file,
    from: 'const mostInARow = 5',
    to: 'const mostInARow = 6',
  },
  {
    name: 'four failures in a row open it',
    seed: 5,
    file,
    from: 'const mostInARow = 5',
    to: 'const mostInARow = 4',
  },
  {
    name: 'all callers try at once while it is open',
    seed: 5,
    file,
    from: "    this.#planProbe()\n    this.#become('half-open')",
    to: "    this.#become('half-open')",
  },
  {
    name: 'pauses are half as long',
    seed: 5,
    file,
    from: 'const probesMs = [1_000, 2_000, 4_000, 5_000]',
    to: 'const probesMs = [500, 1_000, 2_000, 2_500]',
  },
  {
    name: 'pauses become longer without end',
    seed: 10,
    file,
    from: '(probesMs[this.#probes] ?? probesMs.at(-1) ?? 0)',
    to: '1_000 * 2 ** this.#probes',
  },
  {
    name: 'an answer does not close it',
    seed: 5,
    file,
    from: "      this.#sample.clear()\n      this.#become('closed')",
    to: '      this.#sample.clear()',
  },
  {
    name: 'the first pause after an answer is as long as the last before it',
    seed: 7,
    file,
    from: '      this.#probes = 0\n      this.#sample',
    to: '      this.#sample',
  },
  {
    name: 'an answer does not end a row of failures',
    seed: 7,
    file,
    from: '  end() {\n    this.#length = 0',
    to: '  end() {',
  },
  {
    name: 'answers of other replicas end each row',
    seed: 13,
    file,
    from: '      this.#isForgiven = true\n',
    to: '',
  },
  {
    name: 'failures of other replicas count as answers',
    seed: 27,
    file: news,
    from: "if (outcome === 'down') news.set(name, { isDoubted: true, answeredAt })",
    to: "if (outcome === 'down') news.set(name, { isDoubted: true, answeredAt: steady() })",
  },
  {
    name: 'answers of other replicas are not heard',
    seed: 10,
    file: news,
    from: "if (outcome === 'alive') news.set(name, { isDoubted: false, answeredAt: steady() })",
    to: '',
  },
  {
    name: 'each answer is told to all replicas',
    seed: 1,
    file: news,
    from: "        if (outcome === 'alive' && !known?.isDoubted) return\n",
    to: '',
  },
  {
    name: 'a failure of its own hides from a replica that others failed',
    seed: 10,
    file: news,
    from: "if (known && outcome === 'alive') known.isDoubted = false",
    to: 'if (known) known.isDoubted = false',
  },
  {
    name: 'the connection is closed without a neutral read',
    seed: 5,
    file,
    from: '    if (this.#isSeveral && this.#row >= mostInARow) this.#parts.doubt()',
    to: '    if (this.#isSeveral && this.#row >= mostInARow) this.#whole.trip()',
  },
  {
    name: 'an answer does not open the connection again',
    seed: 5,
    file,
    from: "    this.#whole.tell('alive')\n",
    to: '',
  },
  {
    name: 'a call that its lane rejects uses up the trial of the connection',
    seed: 60,
    file,
    from: '    lane?.check()\n',
    to: '',
  },
]
