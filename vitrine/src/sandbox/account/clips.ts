// App Clips with their default experiences and the localized cards.
import { flagshipId } from './apps.ts'
import { imageAsset, row, uploadOperations, uuid } from './rows.ts'

const experienceIds = ['e6f0a3b8-1d25-4c97-8f60-0a0000000011', uuid('clip experience empty')] as const
const clipId = uuid('clip')

const clipRows = [row('appClips', clipId, { bundleId: 'com.example.northlight.tidal-charts.Clip', app: flagshipId })]

// The second experience has no card yet.
const clipExperienceRows = experienceIds.map((id, index) =>
  row('appClipDefaultExperiences', id, { action: index === 0 ? 'VIEW' : null, appClip: clipId }),
)

const subtitles = [
  ['en-US', 'Today’s tide, right here'],
  ['de-DE', 'Die Flut von heute, genau hier'],
  ['ja', '今日の潮を、この場所で'],
  ['fr-FR', 'La marée du jour, ici même'],
  ['ar-SA', 'مدّ اليوم في مكانك'],
  ['zh-Hans', null],
  ['pt-BR', 'A maré de hoje, bem aqui'],
  ['ko', '오늘의 조석을 바로 여기에서'],
] as const

const hasImage = (index: number): boolean => index % 3 !== 2

const clipLocalizationRows = subtitles.map(([locale, subtitle], index) =>
  row('appClipDefaultExperienceLocalizations', uuid(`clip localization ${locale}`), {
    locale,
    subtitle,
    appClipDefaultExperience: experienceIds[0],
    appClipHeaderImage: hasImage(index) ? uuid(`clip image ${locale}`) : null,
  }),
)

const clipImageRows = subtitles
  .filter((_, index) => hasImage(index))
  .map(([locale]) => {
    const id = uuid(`clip image ${locale}`)
    return row('appClipHeaderImages', id, {
      fileSize: 321_009,
      fileName: `clip-${locale}.png`,
      imageAsset: imageAsset(id, 1800, 1200),
      uploadOperations: uploadOperations(id, [321_009]),
      assetDeliveryState: { errors: [], warnings: [], state: 'COMPLETE' },
      appClipDefaultExperienceLocalization: uuid(`clip localization ${locale}`),
    })
  })

export const rows = [...clipRows, ...clipExperienceRows, ...clipLocalizationRows, ...clipImageRows]
