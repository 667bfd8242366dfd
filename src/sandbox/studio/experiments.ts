// Product page experiments with their treatments and the treatments' localizations.
import type { Row } from '../store.ts'
import { flagshipId } from './apps.ts'
import { imageAsset, moment, pick, range, row, uuid } from './make.ts'
import { versionId } from './versions.ts'

const mainExperimentId = '9b7d2e10-61f4-4c0b-8a51-0e0000000004'
const otherExperimentId = uuid('experiment icons')

const experimentRows = [
  row(
    'appStoreVersionExperiments',
    mainExperimentId,
    {
      name: 'Calmer screenshots',
      platform: 'IOS',
      trafficProportion: 40,
      state: 'APPROVED',
      reviewRequired: true,
      startDate: moment(800),
      endDate: null,
    },
    { app: flagshipId, latestControlVersion: versionId(flagshipId, 12), controlVersions: [versionId(flagshipId, 12)] },
  ),
  row(
    'appStoreVersionExperiments',
    otherExperimentId,
    {
      name: 'Icon, blue or green',
      platform: 'IOS',
      trafficProportion: 90,
      state: 'COMPLETED',
      reviewRequired: false,
      startDate: moment(100),
      endDate: moment(700),
    },
    { app: flagshipId },
  ),
]

const treatmentNames = ['Harbour at dawn', 'Night sky', '满潮', 'Big numbers', 'مدّ وجزر', 'No people', 'Maps first 🗺️']

interface StudioTreatment {
  readonly id: string
  readonly name: string
  readonly number: number
  readonly experiment: string
}

const treatments: readonly StudioTreatment[] = [
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
  row(
    'appStoreVersionExperimentTreatments',
    id,
    {
      name,
      appIcon: number % 2 === 0 ? imageAsset(id, 1024, 1024) : null,
      appIconName: number % 2 === 0 ? `AppIcon-${number + 1}` : null,
      promotedDate: number === 3 ? moment(1300) : null,
    },
    { appStoreVersionExperimentV2: experiment, appStoreVersionExperiment: number === 0 ? experiment : null },
  ),
)

const treatmentLocalizationRows = treatments.flatMap(({ id, number }) =>
  range(1 + (number % 3)).map((index) =>
    row(
      'appStoreVersionExperimentTreatmentLocalizations',
      uuid(`treatment localization ${id} ${index}`),
      { locale: pick(['en-US', 'de-DE', 'ja'], index) },
      { appStoreVersionExperimentTreatment: id },
    ),
  ),
)

export const rows: readonly Row[] = [...experimentRows, ...treatmentRows, ...treatmentLocalizationRows]
