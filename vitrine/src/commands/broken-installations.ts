// The broken installations of `vitrine sandbox --disorder`: what is wrong at the platform, in the settings or in the files,
// and the check of `vitrine doctor` that must find it.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../store/migrations.ts'

export interface InstallationFiles {
  readonly folder: string
  readonly keyFile: string
  readonly storeFile: string
  readonly platform: string
}

export interface BrokenInstallation {
  readonly about: string
  /** the check that finds it */
  readonly found?: { readonly check: string; readonly state: 'warn' | 'fail' }
  /** faults of the platform */
  readonly trouble?: readonly string[]
  /** the platform knows other keys than the settings */
  readonly account?: 'none' | 'individual' | 'other issuer'
  /** with a hosted connection and a master key */
  readonly hosted?: true
  readonly connection?: Readonly<Record<string, unknown>>
  readonly settings?: (prepared: InstallationFiles) => Readonly<Record<string, unknown>>
  /** applied last, to valid files */
  readonly spoil?: (prepared: InstallationFiles) => void
}

const found = (check: string, state: 'warn' | 'fail' = 'fail') => ({ found: { check, state } })

function executeOnStore({ storeFile }: InstallationFiles, sql: string) {
  const db = new DatabaseSync(storeFile)
  db.exec(sql)
  db.close()
}

function makeOlder(prepared: InstallationFiles) {
  rmSync(prepared.storeFile)
  executeOnStore(prepared, `${migrations[0]?.sqlite ?? ''}; PRAGMA user_version = 1`)
  chmodSync(prepared.storeFile, 0o600)
}

/** spares the file header and the schema, so that the file still opens */
function damage({ storeFile }: InstallationFiles) {
  const bytes = readFileSync(storeFile)
  writeFileSync(storeFile, bytes.fill(0xa5, 8_192, 40_960))
}

export const brokenInstallations: Readonly<Record<string, BrokenInstallation>> = {
  none: { about: 'a healthy installation, with a connection in its settings and one in its store', hosted: true },
  'setting-misspelt': {
    ...found('settings'),
    about: 'the settings file says upstreem',
    settings: ({ platform }) => ({ upstreem: { baseUrl: platform }, upstream: undefined }),
  },
  'authorities-damaged': {
    ...found('outgoing'),
    about: 'the file of certificate authorities was cut off',
    settings: ({ platform }) => ({ upstream: { baseUrl: platform, caFile: 'authorities.pem' } }),
    spoil: ({ folder }) => writeFileSync(join(folder, 'authorities.pem'), '-----BEGIN CERTIFICATE-----\nMIIB\n'),
  },
  'port-taken': {
    ...found('doors'),
    about: 'another program, this sandbox, listens on the port of the service',
    settings: ({ platform }) => ({ listen: new URL(platform).host }),
  },
  'operator-door-open': {
    ...found('operator-token'),
    about: 'the operator endpoint listens on the network without a token',
    settings: () => ({ operatorListen: '0.0.0.0:0' }),
  },
  'operator-token-weak': {
    ...found('operator-token'),
    about: 'the operator token is made of words',
    settings: () => ({ operatorListen: '127.0.0.1:0', operatorTokenFile: 'operator-token.txt' }),
    spoil: ({ folder }) =>
      writeFileSync(join(folder, 'operator-token.txt'), 'correct-horse-battery-staple\n', { mode: 0o600 }),
  },
  'provider-other': {
    ...found('sign-in', 'warn'),
    about: 'another server, this sandbox, answers where the provider of operators should be',
    settings: ({ platform }) => ({
      operatorListen: '127.0.0.1:0',
      operatorUrl: 'http://localhost:8081',
      oidc: {
        issuer: platform,
        clientId: 'vitrine',
        clientSecretFile: 'oidc.secret',
        roles: { viewer: ['staff'] },
      },
    }),
    spoil: ({ folder }) => writeFileSync(join(folder, 'oidc.secret'), 'a secret of nobody\n', { mode: 0o600 }),
  },
  'proxies-wide': {
    ...found('proxies', 'warn'),
    about: 'a whole private range is trusted as proxies',
    settings: () => ({ trustedProxies: ['10.0.0.0/8'] }),
  },
  'store-missing': {
    ...found('store', 'warn'),
    about: 'there is no store yet',
    spoil: ({ storeFile }) => rmSync(storeFile),
  },
  'store-damaged': { ...found('store'), about: 'the store file was overwritten in the middle', spoil: damage },
  'store-open': {
    ...found('store', 'warn'),
    about: 'all users of this machine can read the store file',
    spoil: ({ storeFile }) => chmodSync(storeFile, 0o644),
  },
  'store-older': { ...found('schema', 'warn'), about: 'an older version created the store', spoil: makeOlder },
  'store-newer': {
    ...found('schema'),
    about: 'a newer version used the store',
    spoil: (prepared) => executeOnStore(prepared, `PRAGMA user_version = ${migrations.length + 1}`),
  },
  'master-key-missing': {
    ...found('master-keys'),
    about: 'the store holds a hosted connection, and there are no master keys',
    hosted: true,
    settings: () => ({ masterKeysFile: undefined }),
  },
  'credential-altered': {
    ...found('credentials'),
    about: 'the encrypted key of the hosted connection was changed in the store',
    hosted: true,
    spoil: (prepared) => executeOnStore(prepared, 'UPDATE connections SET sealed = zeroblob(length(sealed))'),
  },
  'redis-other': {
    ...found('redis'),
    about: 'another program, this sandbox, listens on the port of Redis',
    settings: ({ platform }) => ({ redis: `redis://${new URL(platform).host}` }),
  },
  'no-connections': {
    ...found('connections', 'warn'),
    about: 'neither the settings nor the store name a connection',
    settings: () => ({ connections: {} }),
  },
  unreachable: { ...found('platform'), about: 'the platform cuts every connection', trouble: ['drop'] },
  'not-the-platform': { ...found('platform'), about: 'a web page answers in place of the platform', trouble: ['html'] },
  'platform-down': { ...found('platform'), about: 'the platform answers 503', trouble: ['503'] },
  clock: { ...found('clock'), about: "the platform's clock is an hour ahead of this one", trouble: ['clock=3600'] },
  'clock-drift': {
    ...found('clock', 'warn'),
    about: "the platform's clock is 45 seconds ahead of this one",
    trouble: ['clock=45'],
  },
  'key-file-missing': {
    ...found('key-file'),
    about: 'there is no key file where the settings say',
    spoil: ({ keyFile }) => rmSync(keyFile),
  },
  'key-file-open': {
    ...found('key-file', 'warn'),
    about: 'all users of this machine can read the key file',
    spoil: ({ keyFile }) => chmodSync(keyFile, 0o644),
  },
  'key-file-garbage': {
    ...found('key-file'),
    about: 'the key file contains no key',
    spoil: ({ keyFile }) => writeFileSync(keyFile, 'not a key\n'),
  },
  'key-id-wrong': {
    ...found('token'),
    about: 'the key id of the settings is that of another key',
    connection: { keyId: 'SANDBOX002' },
  },
  'key-revoked': { ...found('token'), about: 'the platform does not know the key', account: 'none' },
  'issuer-wrong': { ...found('token'), about: 'the settings name another issuer', account: 'other issuer' },
  'issuer-needless': {
    ...found('token'),
    about: 'the key is an individual one, and the settings name an issuer',
    account: 'individual',
  },
  agreement: { ...found('agreements'), about: 'an agreement is missing', trouble: ['agreement'] },
  'quota-low': { ...found('quota', 'warn'), about: 'the quota is nearly spent', trouble: ['quota=200'] },
  'quota-spent': { ...found('quota'), about: 'the quota is spent', trouble: ['429=1200'] },
  'group-refused': {
    ...found('group:reviews'),
    about: 'the key may not read customer reviews',
    trouble: ['403@/v1/apps/6446998001/customerReviews'],
  },
}

export const settingsFileOf = (folder: string): string => join(folder, 'vitrine.json')
