// Whoever looks for a facade key that was found somewhere may paste all of it into a search: only its id stays.

export const withoutSecret = (text: string): string => /vtr_(?:live|test)_([0-9A-Za-z]{12})_/.exec(text)?.[1] ?? text
