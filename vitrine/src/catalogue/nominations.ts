// Nominations of an app to be featured.
import { any, dateTime, flag, known, list, listed, one, page, personal } from './define.ts'
import { resource, stamp, text, to, uri } from './define.ts'
import { deviceFamilies } from './parameters.ts'

const nominationTypes = ['APP_LAUNCH', 'APP_ENHANCEMENTS', 'NEW_CONTENT']

const nominationStates = ['DRAFT', 'SUBMITTED', 'ARCHIVED']

const featuringNomination = resource({
  name: 'FeaturingNomination',
  type: 'nominations',
  attributes: {
    name: text('Name of the nomination.'),
    type: known(nominationTypes, 'What is new.'),
    description: text('What should be featured, and why.'),
    createdDate: dateTime('When it was created.'),
    lastModifiedDate: dateTime('When it last changed.'),
    submittedDate: dateTime('When it was submitted.'),
    state: known(nominationStates, 'State of the nomination.'),
    publishStartDate: dateTime('First day of what is nominated.'),
    publishEndDate: dateTime('Last day of what is nominated.'),
    deviceFamilies: list(known(deviceFamilies), 'Devices it concerns.'),
    locales: list(text(), 'Locales it concerns.'),
    supplementalMaterialsUris: list(uri(), 'Links to further material.'),
    hasInAppEvents: flag('Whether an in-app event goes with it.'),
    launchInSelectMarketsFirst: flag('Whether it starts in some territories first.'),
    notes: text('Notes for the editors.'),
    preOrderEnabled: flag('Whether it can be ordered in advance.'),
  },
  links: {
    createdByActorId: personal(to('createdByActor', 'actors', 'actorType', 'Who created it.')),
    lastModifiedByActorId: personal(to('lastModifiedByActor', 'actors', 'actorType', 'Who last changed it.')),
    submittedByActorId: personal(to('submittedByActor', 'actors', 'actorType', 'Who submitted it.')),
  },
})

export const getFeaturingNomination = one({
  path: '/featuring-nominations/{featuringNominationId}',
  group: 'marketing',
  summary: 'Read a featuring nomination',
  from: { read: '/v1/nominations/{featuringNominationId}' },
  returns: featuringNomination,
  reviewed: stamp('4.4.1', '2026-11-21', '5822dbd8c48415c2'),
  example: '/featuring-nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016',
})

export const listFeaturingNominations = page({
  path: '/featuring-nominations',
  group: 'marketing',
  summary: 'List featuring nominations',
  from: { read: '/v1/nominations' },
  filters: {
    type: listed(nominationTypes, 'Only of these kinds.'),
    state: {
      ...listed(nominationStates, 'Only in these states. By default those in any state of this list.'),
      isNeeded: true,
    },
    hasInAppEvents: any('Whether an in-app event goes with it: `true` or `false`.'),
    relatedApps: any('Only of these apps, by id.'),
  },
  sort: ['lastModifiedDate', 'publishStartDate', 'publishEndDate', 'name', 'type'],
  returns: featuringNomination,
  reviewed: stamp('4.4.1', '2026-11-22', '6db852d35443ad05'),
  example: '/featuring-nominations?fields=name,type,state&sort=name',
})
