// Light, dark, or the system's choice: the only thing that the console keeps in the browser.
import { effect, signal } from '@preact/signals'
import { product } from './product.ts'

export const themes = { auto: 'System', light: 'Light', dark: 'Dark' } as const
export type Theme = keyof typeof themes

export const theme = signal<Theme>('auto')

const storageKey = () => `${product().name.toLowerCase()}-theme`
const isTheme = (name: string | null): name is Theme => name !== null && Object.hasOwn(themes, name)

/** a browser may forbid storage */
function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey())
    return isTheme(stored) ? stored : 'auto'
  } catch {
    return 'auto'
  }
}

export function showTheme() {
  theme.value = storedTheme()
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
  })
}

export function chooseTheme(chosen: Theme) {
  theme.value = chosen
  try {
    localStorage.setItem(storageKey(), chosen)
  } catch {
    // it lasts as long as the page
  }
}
