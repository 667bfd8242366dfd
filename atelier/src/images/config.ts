// The configuration that a build from nothing begins with.
import type { ImageConfig } from '../store/image-rows.ts'

export const scratchConfig: ImageConfig = {
  command: null,
  entrypoint: null,
  workingDir: '/',
  user: null,
  env: {},
  labels: {},
}
