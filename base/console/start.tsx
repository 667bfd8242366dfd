// Starts a console: its style, its theme, and the root of what is drawn.
import { render } from 'preact'
import { Brand } from './brand.tsx'
import { keepFocus } from './focus-rescue.ts'
import { Frame } from './frame.tsx'
import { Failed, Waiting } from './parts/states.tsx'
import { product, type Product, setProduct } from './product.ts'
import { resume, sessionState } from './session.ts'
import './style/tokens.css'
import './style/base.css'
import './style/frame.css'
import './style/parts.css'
import './style/live-indicator.css'
import './style/forced.css'
import { showTheme } from './theme.ts'

function App() {
  const now = sessionState.value
  const { SignIn } = product()
  if (now.state === 'out') return <SignIn ended={now.ended} />
  if (now.state === 'in') return <Frame key={now.session.who} session={now.session} />
  return (
    <main class="standalone">
      {now.state === 'opening' ? (
        <Waiting what="the console" />
      ) : (
        <>
          <Brand />
          <h1>Service unavailable</h1>
          <Failed refusal={now.refusal} again={() => void resume()} />
        </>
      )}
    </main>
  )
}

export function startConsole(started: Product) {
  setProduct(started)
  showTheme()
  keepFocus()
  void resume()
  const root = document.getElementById('root')
  if (root) render(<App />, root)
}
