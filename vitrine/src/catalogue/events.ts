// In-app events and the screenshots of their localizations.
import { dateTime, differs, ids, known, list, one, record, resource, stamp, text, uri, wordsOf } from './define.ts'

const schedule = list(
  record({ territories: list(text()), publishStart: dateTime(), eventStart: dateTime(), eventEnd: dateTime() }),
)

const appEvent = resource({
  name: 'AppEvent',
  type: 'appEvents',
  attributes: {
    referenceName: text('Name inside the team.'),
    badge: known(
      ['LIVE_EVENT', 'PREMIERE', 'CHALLENGE', 'COMPETITION', 'NEW_SEASON', 'MAJOR_UPDATE', 'SPECIAL_EVENT'],
      'Badge on the event card.',
    ),
    eventState: known(
      wordsOf(`DRAFT READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW REJECTED ACCEPTED APPROVED PUBLISHED PAST ARCHIVED`),
      'State of the event.',
    ),
    deepLink: uri('Link into the app. The platform does not check that it is a valid URI.'),
    purchaseRequirement: text('Whether taking part requires a purchase.'),
    primaryLocale: text('Locale that is shown if no other fits.'),
    priority: known(['HIGH', 'NORMAL'], 'Priority among the events of the app.'),
    purpose: known(
      ['APPROPRIATE_FOR_ALL_USERS', 'ATTRACT_NEW_USERS', 'KEEP_ACTIVE_USERS_INFORMED', 'BRING_BACK_LAPSED_USERS'],
      'Intended audience.',
    ),
    territorySchedules: { ...schedule, about: 'Times by territory.' },
    archivedTerritorySchedules: { ...schedule, about: 'Former times by territory.' },
  },
})

const openWords = 'The contract leaves this text open, although the document lists two values.'

export const getEvent = one({
  path: '/events/{eventId}',
  group: 'marketing',
  summary: 'Read an in-app event',
  from: { read: '/v1/appEvents/{eventId}' },
  returns: appEvent,
  differences: [
    differs('format-changed', 'deepLink', 'none', 'The contract says that it is a URI; the document gives no format.'),
    differs('known-value-new', 'purchaseRequirement', 'NO_COST_ASSOCIATED', openWords),
    differs('known-value-new', 'purchaseRequirement', 'IN_APP_PURCHASE', openWords),
  ],
  reviewed: stamp('4.4.1', '2026-11-21', '0a6f0f92d1b47e72'),
  example: '/events/3f0c1b52-8a64-4e5e-9d10-0e0000000003',
})

export const listEventScreenshotIds = ids({
  path: '/events/{eventId}/localizations/{locale}/event-screenshots/ids',
  group: 'marketing',
  summary: 'List the ids of the screenshots of an event in one locale',
  from: {
    resolve: { locale: '/v1/appEvents/{eventId}/localizations', type: 'appEventLocalizations' },
    read: '/v1/appEventLocalizations/{localizationId}/relationships/appEventScreenshots',
  },
  type: 'appEventScreenshots',
  reviewed: stamp('4.4.1', '2026-11-21', '2c67438c63d0d5f3'),
  example: '/events/3f0c1b52-8a64-4e5e-9d10-0e0000000003/localizations/en-US/event-screenshots/ids',
})
