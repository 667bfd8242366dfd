// Where the console begins: its style, its theme, and the root of what is drawn.
import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './focus-keeper.ts'
import { resume } from './session.ts'
import './style/tokens.css'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'
import './style/forced.css'
import { showTheme } from './theme.ts'

showTheme()
keepFocus()
void resume()
const root = document.getElementById('root')
if (root) render(<App />, root)
