// Custom product pages with their versions, localizations and screenshot sets.
import { flagshipId } from './apps.ts'
import { pick, range, row, uuid } from './rows.ts'

const mainVersionId = '5d1e9a70-2c48-4b6f-a3d2-0c0000000007'
const otherVersionId = uuid('product page version 2')
const pageId = uuid('product page surf')

const productPageRows = [
  row('appCustomProductPages', pageId, {
    name: 'Surfers',
    url: `https://apps.apple.com/app/id${flagshipId}?ppid=${pageId}`,
    visible: true,
    app: flagshipId,
  }),
]

const productPageVersionRows = [
  row('appCustomProductPageVersions', mainVersionId, {
    version: '3',
    state: 'APPROVED',
    deepLink: 'https://northlight.example.com/surf',
    appCustomProductPage: pageId,
  }),
  row('appCustomProductPageVersions', otherVersionId, {
    version: '4',
    state: 'PREPARE_FOR_SUBMISSION',
    deepLink: null,
    appCustomProductPage: pageId,
  }),
]

const texts = [
  ['en-US', 'Know the swell before you paddle out.'],
  ['de-DE', 'Kenne die Dünung, bevor du rauspaddelst.'],
  ['ja', '海に出る前に、うねりを知る。'],
  ['fr-FR', 'Connaissez la houle avant de ramer.'],
  ['es-MX', null],
] as const

export const pageLocalizations = [
  ...texts.map(([locale, text]) => ({ id: uuid(`page ${locale}`), version: mainVersionId, locale, text })),
  { id: uuid('page draft en-US'), version: otherVersionId, locale: 'en-US', text: null },
]

const pageLocalizationRows = pageLocalizations.map(({ id, version, locale, text }) =>
  row('appCustomProductPageLocalizations', id, { locale, promotionalText: text, appCustomProductPageVersion: version }),
)

const displayTypes = ['APP_IPHONE_67', 'APP_IPHONE_61', 'APP_IPAD_PRO_3GEN_129', 'APP_WATCH_ULTRA']

const screenshotSetRows = pageLocalizations.flatMap(({ id }, index) =>
  range(2 + (index % 3)).map((number) =>
    row('appScreenshotSets', uuid(`screenshot set ${id} ${number}`), {
      screenshotDisplayType: pick(displayTypes, number),
      appCustomProductPageLocalization: id,
    }),
  ),
)

export const rows = [...productPageRows, ...productPageVersionRows, ...pageLocalizationRows, ...screenshotSetRows]
