// Treatments of a product page experiment.
import { dateTime, differs, integer, page, picture, resource, stamp, text, to } from './define.ts'

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
