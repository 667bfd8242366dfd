// Product page experiments with their treatments and the treatments' localizations.
import { flagshipId } from './apps.ts'
import { imageAsset, sampleInstant, pick, range, row, uuid } from './rows.ts'
import { versionId } from './versions.ts'

const mainExperimentId = '9b7d2e10-61f4-4c0b-8a51-0e0000000004'
const otherExperimentId = uuid('experiment icons')

const experimentRows = [
  row('appStoreVersionExperiments', mainExperimentId, {
    name: 'Calmer screenshots',
    platform: 'IOS',
    trafficProportion: 40,
    state: 'APPROVED',
    reviewRequired: true,
    startDate: sampleInstant(800),
    app: flagshipId,
    latestControlVersion: versionId(flagshipId, 12),
    controlVersions: [versionId(flagshipId, 12)],
  }),
  row('appStoreVersionExperiments', otherExperimentId, {
    name: 'Icon, blue or green',
    platform: 'IOS',
    trafficProportion: 90,
    state: 'COMPLETED',
    reviewRequired: false,
    startDate: sampleInstant(100),
    endDate: sampleInstant(700),
    app: flagshipId,
  }),
]

const treatmentNames = ['Harbour at dawn', 'Night sky', '满潮', 'Big numbers', 'مدّ وجزر', 'No people', 'Maps first 🗺️']

const treatments = [
  ...treatmentNames.map((name, number) => ({
    id: uuid(`treatment ${number}`),
    name,
    number,
    experiment: mainExperimentId,
  })),
  ...['Blue', 'Green'].map((name, number) => ({
    id: uuid(`treatment icon ${number}`),
    name,
    number,
    experiment: otherExperimentId,
  })),
]

const treatmentRows = treatments.map(({ id, name, number, experiment }) =>
  row('appStoreVersionExperimentTreatments', id, {
    name,
    appIcon: number % 2 === 0 ? imageAsset(id, 1024, 1024) : null,
    appIconName: number % 2 === 0 ? `AppIcon-${number + 1}` : null,
    promotedDate: number === 3 ? sampleInstant(1300) : null,
    appStoreVersionExperimentV2: experiment,
    appStoreVersionExperiment: number === 0 ? experiment : null,
  }),
)

const treatmentLocalizationRows = treatments.flatMap(({ id, number }) =>
  range(1 + (number % 3)).map((index) =>
    row('appStoreVersionExperimentTreatmentLocalizations', uuid(`treatment localization ${id} ${index}`), {
      locale: pick(['en-US', 'de-DE', 'ja'], index),
      appStoreVersionExperimentTreatment: id,
    }),
  ),
)

export const rows = [...experimentRows, ...treatmentRows, ...treatmentLocalizationRows]
