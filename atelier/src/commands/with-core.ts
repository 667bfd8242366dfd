// Opens what a command needs, and closes it at the end.
import { asUserError } from '../../../base/cli/user-error.ts'
import { type Core, locate, openCore } from '../core.ts'
import type { Settings } from '../settings.ts'
import { openStoreToLook, type Store } from '../store/store.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

export async function withCore(
  options: ConfigOption,
  act: (core: Core, settings: Settings, folder: string) => Promise<void>,
): Promise<void> {
  const { settings, folder } = loadSettings(options)
  const core = await asUserError(() => openCore(settings, { folder, observe: () => {} }))
  try {
    await act(core, settings, folder)
  } finally {
    await core.close()
  }
}

/** for a command that changes nothing: the store is neither made nor migrated */
export async function withStore(options: ConfigOption, act: (store: Store) => Promise<void>): Promise<void> {
  const { settings, folder } = loadSettings(options)
  const store = await asUserError(() => openStoreToLook(locate(folder, settings.store)))
  try {
    await act(store)
  } finally {
    await store.close()
  }
}
