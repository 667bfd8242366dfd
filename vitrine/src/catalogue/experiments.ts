// Product page experiments and their treatments.
import { dateTime, differs, flag, integer, known, listed, page, picture } from './define.ts'
import { resource, stamp, text, to, wordsOf } from './define.ts'
import { platforms } from './parameters.ts'

const treatment = resource({
  name: 'ExperimentTreatment',
  type: 'appStoreVersionExperimentTreatments',
  attributes: {
    name: text('Name inside the team.'),
    appIcon: picture({ templateUrl: text(), width: integer(), height: integer() }, 'Icon that the treatment shows.'),
    appIconName: text('Name of that icon in the build.'),
    promotedDate: dateTime('When the treatment became the product page.'),
  },
  links: {
    appStoreVersionExperimentId: to(
      'appStoreVersionExperimentV2',
      'appStoreVersionExperiments',
      'reviewRequired',
      'Experiment it belongs to.',
    ),
  },
})

export const listExperimentTreatments = page({
  path: '/experiments/{experimentId}/treatments',
  group: 'marketing',
  summary: 'List the treatments of an experiment',
  from: {
    read: '/v2/appStoreVersionExperiments/{experimentId}/appStoreVersionExperimentTreatments',
    parent: { appStoreVersionExperimentId: 'experimentId' },
  },
  returns: treatment,
  differences: [
    differs(
      'relationship-new',
      'appStoreVersionExperiment',
      'appStoreVersionExperiments',
      'The same experiment under the name of the older version of the endpoint.',
    ),
  ],
  reviewed: stamp('4.4.1', '2026-11-21', '503a48d461230147'),
  example: '/experiments/9b7d2e10-61f4-4c0b-8a51-0e0000000004/treatments?limit=2',
})

const experimentStates = wordsOf(
  `PREPARE_FOR_SUBMISSION READY_FOR_REVIEW WAITING_FOR_REVIEW IN_REVIEW ACCEPTED APPROVED REJECTED COMPLETED STOPPED`,
)

const experiment = resource({
  name: 'Experiment',
  type: 'appStoreVersionExperiments',
  attributes: {
    name: text('Name inside the team.'),
    platform: known(platforms, 'Platform.'),
    trafficProportion: integer('Share of the customers who see a treatment, in percent.'),
    state: known(experimentStates, 'State of the experiment.'),
    reviewRequired: flag('Whether it must be reviewed.'),
    startDate: dateTime('When it began.'),
    endDate: dateTime('When it ended.'),
  },
  links: {
    appId: to('app', 'apps', 'sku', 'App it belongs to.'),
    latestControlVersionId: to(
      'latestControlVersion',
      'appStoreVersions',
      'platform',
      'Version that treatments are compared with.',
    ),
  },
})

export const listExperiments = page({
  path: '/apps/{appId}/experiments',
  group: 'marketing',
  summary: 'List the product page experiments of an app',
  from: { read: '/v1/apps/{appId}/appStoreVersionExperimentsV2', parent: { appId: 'appId' } },
  filters: { state: listed(experimentStates, 'Only in these states.') },
  returns: experiment,
  reviewed: stamp('4.4.1', '2026-11-22', 'c3b9f90fb8f40568'),
  example: '/apps/6446998001/experiments?state=APPROVED',
})
