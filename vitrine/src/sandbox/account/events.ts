// In-app events with their localizations and screenshots.
import { flagshipId, sampleApps } from './apps.ts'
import { imageAsset, sampleInstant, pick, range, row, uploadOperations, uuid, readTable } from './rows.ts'
import { territoryCodes } from './territories.ts'

export const mainEventId = '3f0c1b52-8a64-4e5e-9d10-0e0000000003'
const otherEventId = uuid('event winter lanterns')

const schedule = (territories: readonly string[], hours: number) => ({
  territories,
  publishStart: sampleInstant(hours, 'seconds'),
  eventStart: sampleInstant(hours + 336, 'pacific'),
  eventEnd: sampleInstant(hours + 840, 'decimals'),
})

// The second event's link is no valid URI; the platform stores such links without complaint.
const eventRows = [
  row('appEvents', mainEventId, {
    referenceName: 'Spring Tide Week 2026',
    badge: 'LIVE_EVENT',
    eventState: 'PUBLISHED',
    deepLink: 'https://northlight.example.com/tidal-charts/spring-tide',
    purchaseRequirement: 'NO_COST_ASSOCIATED',
    primaryLocale: 'en-US',
    priority: 'HIGH',
    purpose: 'APPROPRIATE_FOR_ALL_USERS',
    territorySchedules: [schedule(territoryCodes, 1400), schedule(['JPN', 'KOR'], 1424)],
    archivedTerritorySchedules: [schedule(['CHN'], 400)],
    app: flagshipId,
  }),
  row('appEvents', otherEventId, {
    referenceName: 'Winter Lanterns',
    eventState: 'DRAFT',
    deepLink: 'paperlantern://event/winter lanterns',
    purchaseRequirement: 'IN_APP_PURCHASE',
    priority: 'NORMAL',
    territorySchedules: [],
    app: sampleApps[1]?.id ?? null,
  }),
]

// event | locale | number of screenshots | name | short description
const texts = readTable(`main|en-US|4|Spring Tide Week|Chart the year’s highest tides together.
main|de-DE|2|Springflut-Woche|Die höchsten Fluten des Jahres gemeinsam verfolgen.
main|ja|2|大潮ウィーク|一年でいちばん高い潮をみんなで観察。
main|fr-FR|1|Semaine des grandes marées|Suivez ensemble les plus hautes marées de l’année.
other|en-US|2|Winter Lanterns|Fold a lantern for the longest night.
other|he|0|פנסי חורף|לקפל פנס ללילה הארוך ביותר.`)

const localizationId = (event: string, locale: string): string => uuid(`event localization ${event} ${locale}`)

const eventLocalizationRows = texts.map(([event = '', locale = '', , name = '', short = '']) =>
  row('appEventLocalizations', localizationId(event, locale), {
    locale,
    name,
    shortDescription: short,
    longDescription: locale === 'fr-FR' ? null : `${short} 🌊`,
    appEvent: event === 'main' ? mainEventId : otherEventId,
  }),
)

export const mainEventLocalizationId = localizationId('main', 'en-US')

const eventScreenshotRows = texts.flatMap(([event = '', locale = '', count]) =>
  range(Number(count)).map((number) => {
    const id = uuid(`event screenshot ${event} ${locale} ${number}`)
    return row('appEventScreenshots', id, {
      fileSize: 403_112 + number,
      fileName: `event-${locale}-${number + 1}.png`,
      imageAsset: imageAsset(id, 1920, 1080),
      uploadOperations: uploadOperations(id, [403_112 + number]),
      assetDeliveryState: { errors: [], warnings: [], state: 'COMPLETE' },
      appEventAssetType: pick(['EVENT_CARD', 'EVENT_DETAILS_PAGE'], number),
      appEventLocalization: localizationId(event, locale),
    })
  }),
)

export const rows = [...eventRows, ...eventLocalizationRows, ...eventScreenshotRows]
