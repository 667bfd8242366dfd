// The dashboard and the rules of this service.
import { monitoringOf } from '../../../base/test/monitoring.ts'

export const { folder, readRules, readDashboard, expressionsOf, namesIn, noPromtool } = monitoringOf({
  folder: 'deploy/monitoring',
  service: 'vitrine',
  variables: ['instance', 'connection'],
})
