import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { storeSuite } from './suite.ts'

storeSuite('PostgreSQL', {
  skip: noPostgres,
  async place() {
    const { url, drop } = await freshDatabase()
    return { location: url, drop }
  },
})
