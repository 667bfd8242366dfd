// JSON whose numbers keep all their digits, also beyond what JavaScript counts exactly, until they are written again.

/** what has no long number takes the short way */
const hasLong = /\d{16}/

export const parseExactly = (text: string): unknown =>
  hasLong.test(text)
    ? JSON.parse(text, (_name, value: unknown, { source }: { source?: string }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
      )
    : JSON.parse(text)
