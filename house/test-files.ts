// Which test files there are, and which of them are long: those run in `npm run test:all` alone.
import { globSync } from 'node:fs'

/** Tests start in the folder of their part, and their paths are seen from there. */
export interface TestFile {
  readonly part: '.' | 'atelier' | 'vitrine'
  readonly file: string
}

const filesOf = (part: TestFile['part'], pattern: string): TestFile[] =>
  globSync(pattern, { cwd: part })
    .toSorted()
    .map((file) => ({ part, file }))

export const testFiles: readonly TestFile[] = [
  ...filesOf('.', 'house/*.test.ts'),
  ...filesOf('atelier', 'test/**/*.test.ts'),
  ...filesOf('vitrine', 'test/**/*.test.ts'),
]

/** Paths in vitrine/ and atelier/. A short test of the same room stays in `npm test`: one of each fault family, a page of the console. */
export const longFiles: readonly RegExp[] = [
  // several servers in processes of their own
  /^vitrine\/test\/cluster\//,
  /^vitrine\/test\/replicas\/(killed-replica|refusing-redis|replica-count|slow-database|outage|outage-model|hot-standby|pgbouncer|quota-service|shared-answers-service|shared-quota-load|two-services|tenants|moved-redis)\./,
  // killed at each step, or besieged for seconds
  /^vitrine\/test\/stored-connections\/(kill|outage|races|replicas|rotation)\./,
  /^vitrine\/test\/secrets\/(canary|canaries|tampering|equal-work)\./,
  // every size of a fault, where one size of its family is short
  /^vitrine\/test\/faults\/(rolling|drain|replica-scarcity|redis|postgres|kills|process|slow-platform|timing|stalls|paging-under-faults|whole-lists|rotation|two-services|host-names|connect|scarcity)\./,
  // all but the way in and the first page
  /^vitrine\/test\/console\/(?!sign-in|keys-form).*\.browser\./,
  /^vitrine\/test\/http\/(docs-page.*\.browser|bad-key-floods|random-requests|slow-connections|cache-races|audit-retention|raw-connections)\./,
  // the program as its operator runs it, over and over
  /^vitrine\/test\/commands\/(read-terminal|read-interrupts|store-commands|failed-starts|backup-guide|signals|repeated-signals|early-signals|config-option)\./,
  /^vitrine\/test\/deploy\/(system|user|balancer)\./,
  /^vitrine\/test\/operations\/(drill|monitoring)\./,
  /^vitrine\/test\/platform\/scheduler-load\./,
  /^\w+\/test\/simulation\/thousand-seeds\./,
  /^vitrine\/test\/doctor\/(broken-installations|stores)\./,
  /^vitrine\/test\/review\/(random|hostile)\./,
  // all but the way in and the first page
  /^atelier\/test\/console\/(?!sign-in).*\.browser\./,
  // hostile commands and clients on real engines, each several times
  /^atelier\/test\/exec\/(hostile-trees|resident\/engines)\./,
  /^atelier\/test\/resident\/hostile-(trees|frames)\./,
  /^atelier\/test\/ssh\/(channels|hostile|sftp-hostile|sftp-stalls)\./,
  /^atelier\/test\/engine\/(exec|files)\./,
  /^atelier\/test\/images\/checkpoints\./,
  /^atelier\/test\/files\/engine-trees\./,
]

export const isLong = ({ part, file }: TestFile): boolean =>
  part !== '.' && longFiles.some((pattern) => pattern.test(`${part}/${file}`))

/** The folders whose tests take longest, begun first so that no process ends long after the other. */
export const slowFolders: readonly string[] = [
  'vitrine/test/console',
  'vitrine/test/replicas',
  'vitrine/test/faults',
  'atelier/test/ssh',
  'atelier/test/console',
  'vitrine/test/http',
  'atelier/test/images',
  'atelier/test/engine',
  'atelier/test/files',
  'vitrine/test/operator',
  'vitrine/test/store',
  'atelier/test/commands',
  'vitrine/test/commands',
  'vitrine/test/agents',
  'vitrine/test/doctor',
]
