// How a state is coloured, beside the word that names it.
export type Tone = 'good' | 'warn' | 'bad' | 'idle' | 'accent'
