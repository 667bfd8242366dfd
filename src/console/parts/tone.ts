// How a state is coloured, beside the word that says it.
export type Tone = 'good' | 'warn' | 'bad' | 'idle' | 'glass'
