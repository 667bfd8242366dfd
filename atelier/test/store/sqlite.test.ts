import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeSuite } from './suite.ts'

storeSuite('SQLite', {
  skip: false,
  async place() {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-store-'))
    const drop = async () => rmSync(folder, { recursive: true, force: true })
    return { location: `sqlite:${join(folder, 'a.db')}`, drop }
  },
})
