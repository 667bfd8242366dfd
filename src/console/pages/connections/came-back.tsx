// What a form for a connection says when it is open again after a session that ended.
import { cameBack } from './draft.ts'

export const CameBack = () =>
  cameBack.value ? (
    <p class="connections-back" role="status">
      Your session ended in between. What you typed is here; the private key was let go of, so give it again.
    </p>
  ) : null
