// Light, dark, or as the machine says: the one thing that this page keeps in the browser.
import { effect, signal } from '@preact/signals'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const place = 'vitrine-theme'

/** a browser may forbid storage altogether */
function kept(): Theme {
  try {
    return themes.find((one) => one === localStorage.getItem(place)) ?? 'auto'
  } catch {
    return 'auto'
  }
}

export const theme = signal<Theme>('auto')

export function showTheme() {
  theme.value = kept()
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
  })
}

export function chooseTheme(chosen: Theme) {
  theme.value = chosen
  try {
    localStorage.setItem(place, chosen)
  } catch {
    // it lasts as long as the page, then
  }
}
