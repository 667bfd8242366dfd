// In-app events, their localizations and the screenshots of those.
import { any, dateTime, differs, ids, known, list, listed, one, page, record } from './define.ts'
import { resource, stamp, text, to, uri, wordsOf } from './define.ts'

const schedule = list(
  record({ territories: list(text()), publishStart: dateTime(), eventStart: dateTime(), eventEnd: dateTime() }),
)

const eventStates = wordsOf(
  `DRAFT READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW REJECTED ACCEPTED APPROVED PUBLISHED PAST ARCHIVED`,
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
    eventState: known(eventStates, 'State of the event.'),
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

const eventDifferences = [
  differs('format-changed', 'deepLink', 'none', 'The contract says that it is a URI; the document gives no format.'),
  differs('known-value-new', 'purchaseRequirement', 'NO_COST_ASSOCIATED', openWords),
  differs('known-value-new', 'purchaseRequirement', 'IN_APP_PURCHASE', openWords),
]

export const getEvent = one({
  path: '/events/{eventId}',
  group: 'marketing',
  summary: 'Read an in-app event',
  from: { read: '/v1/appEvents/{eventId}' },
  returns: appEvent,
  differences: eventDifferences,
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

export const listEvents = page({
  path: '/apps/{appId}/events',
  group: 'marketing',
  summary: 'List the in-app events of an app',
  from: { read: '/v1/apps/{appId}/appEvents' },
  filters: {
    eventState: listed(eventStates, 'Only in these states.'),
    id: any('Only these events, by id.'),
  },
  returns: appEvent,
  differences: eventDifferences,
  reviewed: stamp('4.4.1', '2026-11-22', '4f860a7be04a7b97'),
  example: '/apps/6446998001/events?fields=referenceName,badge,eventState',
})

const eventLocalization = resource({
  name: 'EventLocalization',
  type: 'appEventLocalizations',
  attributes: {
    locale: text('Locale.'),
    name: text('Name of the event in this locale.'),
    shortDescription: text('Text on the event card.'),
    longDescription: text('Text on the page of the event.'),
  },
  links: { appEventId: to('appEvent', 'appEvents', 'badge', 'Event it belongs to.') },
})

export const listEventLocalizations = page({
  path: '/events/{eventId}/localizations',
  group: 'marketing',
  summary: 'List the localizations of an in-app event',
  from: { read: '/v1/appEvents/{eventId}/localizations', parent: { appEventId: 'eventId' } },
  returns: eventLocalization,
  reviewed: stamp('4.4.1', '2026-11-22', '8fbfac4ca5f83b00'),
  example: '/events/3f0c1b52-8a64-4e5e-9d10-0e0000000003/localizations?fields=locale,name',
})
