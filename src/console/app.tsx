// The whole of what is drawn: the way in, or the frame with the page that the address names.
import { Frame } from './frame.tsx'
import { Waiting } from './parts/states.tsx'
import { standing } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { Away } from './away.tsx'

export function App() {
  const now = standing.value
  if (now.state === 'opening')
    return (
      <main class="alone">
        <Waiting what="the console" />
      </main>
    )
  if (now.state === 'unknown') return <Away refusal={now.refusal} />
  if (now.state === 'out') return <SignIn ended={now.ended} />
  return <Frame key={now.session.who} session={now.session} />
}
