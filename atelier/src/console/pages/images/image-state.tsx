// The state of an image, and of its build.
import { duration } from '../../../../../base/console/format.ts'
import { Badge } from '../../../../../base/console/parts/display.tsx'
import type { Tone } from '../../../../../base/console/parts/tone.ts'
import type { Image } from '../../answers.ts'

const tones: Readonly<Record<Image['status'], Tone>> = {
  queued: 'accent',
  building: 'accent',
  ready: 'good',
  failed: 'bad',
  cancelled: 'idle',
}

export const ImageState = ({ status }: Pick<Image, 'status'>) => <Badge tone={tones[status]}>{status}</Badge>

export const isBuilding = ({ status }: Pick<Image, 'status'>): boolean => status === 'queued' || status === 'building'

export const builtIn = (ms: number | null): string => (ms === null ? '–' : duration(ms))
