// What the words and numbers of a card mean.

const rows = [
  [
    'Quota',
    'What the platform lets the signing key still ask in this hour and this minute. It says so with its answers; “not said yet” means that no answer since the start said it.',
  ],
  ['Bars', 'Calls of the platform, one bar a minute. What failed hangs below the line.'],
  ['Last success', 'When the platform last gave a document. The last failure has the code that callers were told.'],
  [
    'Calls saved',
    'Reads that needed no call of the platform: they were remembered, or another call under way answered them. The share is of all calls that would have been made.',
  ],
  [
    'Breaker',
    'Open: the platform did not answer several times, and is left alone for a while. Half open: one call tries it.',
  ],
  [
    'Drift',
    'Members of the platform’s answers that this version of Vitrine does not know. They are left out of ours; a newer version may know them.',
  ],
] as const

export function Legend() {
  return (
    <details class="overview-legend">
      <summary>What the cards say</summary>
      <dl>
        {rows.map(([name, says]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
