// Featuring nominations, and the people and keys of the team that act in them and elsewhere.
import { flagshipId, sampleApps } from './apps.ts'
import { mainEventId } from './events.ts'
import { sampleInstant, row, uuid } from './rows.ts'
import { territoryCodes } from './territories.ts'

export const marketerId = 'USER:7c1f0b6e-52d0-4a8e-9f11-52b0c64c7a10'
export const automationId = 'API_KEY:2X9R4HXF34'

const actorRows = [
  row('actors', marketerId, {
    actorType: 'USER',
    userFirstName: 'Ingrid',
    userLastName: 'Solberg',
    userEmail: 'ingrid.solberg@example.com',
  }),
  row('actors', automationId, { actorType: 'API_KEY', apiKeyId: '2X9R4HXF34' }),
]

const nominationRows = [
  row('nominations', 'a1d3c5e7-2b4f-4608-8a9c-0e0000000016', {
    name: 'Tidal Charts 3: live harbours',
    type: 'APP_ENHANCEMENTS',
    description: 'Live harbour sensors, a new tide curve, and an Apple Watch face for spring tides. 🌊',
    createdDate: sampleInstant(300, 'decimals'),
    lastModifiedDate: sampleInstant(420, 'pacific'),
    submittedDate: sampleInstant(421, 'seconds'),
    state: 'SUBMITTED',
    publishStartDate: sampleInstant(1500, 'seconds'),
    publishEndDate: sampleInstant(2200, 'decimals'),
    deviceFamilies: ['IPHONE', 'IPAD', 'APPLE_WATCH', 'APPLE_TV', 'MAC', 'VISION'],
    locales: ['en-US', 'de-DE', 'ja', 'fr-FR'],
    supplementalMaterialsUris: [
      'https://press.example.com/tidal-charts',
      'https://press.example.com/%E6%B5%B7%E5%9B%B3.pdf',
    ],
    hasInAppEvents: true,
    launchInSelectMarketsFirst: false,
    preOrderEnabled: false,
    relatedApps: sampleApps.slice(0, 12).map((app) => app.id),
    createdByActor: marketerId,
    lastModifiedByActor: automationId,
    submittedByActor: marketerId,
    inAppEvents: [mainEventId],
    supportedTerritories: territoryCodes,
  }),
  row('nominations', uuid('nomination draft'), {
    name: 'Paper Lantern launch',
    type: 'APP_LAUNCH',
    createdDate: sampleInstant(500, 'decimals'),
    lastModifiedDate: sampleInstant(501, 'pacific'),
    state: 'DRAFT',
    deviceFamilies: [],
    locales: [],
    supplementalMaterialsUris: [],
    relatedApps: [sampleApps[1]?.id ?? flagshipId],
    createdByActor: marketerId,
    lastModifiedByActor: marketerId,
  }),
]

export const rows = [...actorRows, ...nominationRows]
