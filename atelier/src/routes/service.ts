// What the routes stand on.
import type { KeyObject } from 'node:crypto'
import type { PageText } from '../../../base/web/page-text.ts'
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { KeyHolders } from '../accounts/key-holders.ts'
import type { OidcSignIn } from '../accounts/oidc-sign-in.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { SignIn } from '../accounts/sign-in.ts'
import type { Counter } from '../api/counters.ts'
import type { Pager } from '../api/cursors.ts'
import type { HeldBytes } from '../api/held-bytes.ts'
import { routeDefiner } from '../api/route.ts'
import type { Containers } from '../containers/containers.ts'
import type { Egress } from '../egress/egress.ts'
import type { Observe } from '../events.ts'
import type { Commands } from '../exec/commands.ts'
import type { KeptCommands } from '../exec/kept-commands.ts'
import type { Engine } from '../engine/port.ts'
import type { Files } from '../files/files.ts'
import type { Folders } from '../folders/folders.ts'
import type { Images } from '../images/images.ts'
import type { Builder } from '../images/builder.ts'
import type { Limits, Settings } from '../settings.ts'
import type { Checks } from '../readiness.ts'
import type { Ssh } from '../ssh/ssh.ts'
import type { Store } from '../store/store.ts'
import type { Terminals } from '../terminal/terminals.ts'

export interface Service {
  readonly settings: Settings
  readonly limits: Limits
  readonly store: Store
  readonly engine: Engine
  readonly keys: ApiKeys
  readonly keyHolders: KeyHolders
  readonly sessions: Sessions
  readonly cookieName: string
  readonly signIn: SignIn
  readonly oidc: OidcSignIn | undefined
  readonly containers: Containers
  readonly egress: Egress
  /** for digests of requests that may hold secrets; undefined: none can */
  readonly digestKey: KeyObject | undefined
  readonly commands: Commands
  /** those that go on without their callers */
  readonly kept: KeptCommands
  readonly files: Files
  readonly folders: Folders
  readonly builder: Builder
  readonly images: Images
  readonly ssh: Ssh | undefined
  readonly terminals: Terminals
  readonly page: Pager
  readonly counter: Counter
  /** answers that are made and not sent */
  readonly unsent: HeldBytes
  /** the OpenAPI document */
  readonly description: PageText
  /** whether store and engine answer */
  readonly readiness: () => Promise<Checks>
  readonly observe: Observe
  readonly now: () => number
  readonly isStopping: () => boolean
}

export const defineRoute = routeDefiner<Service>()
