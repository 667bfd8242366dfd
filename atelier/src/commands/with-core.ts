// Opens what a command needs, and closes it at the end.
import { asUserError } from '../../../base/cli/user-error.ts'
import { type Core, openCore } from '../core.ts'
import type { Settings } from '../settings.ts'
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
