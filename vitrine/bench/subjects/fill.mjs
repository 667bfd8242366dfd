// Makes an installation large, in a process of its own: copies of the one key and the one hosted connection that a store holds,
// each with its own name and secrets. Written past the audit, in one transaction; sealed by the product's own vault.
// Takes JSON: { db, masterKeys, keyFile, keys, connections, told }; prints `told` of the new keys.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readPrivateKey } from '../../src/connections/credential.ts'
import { openVault } from '../../src/connections/vault-source.ts'
import { digestOf } from '../../../base/core/digest-and-random.ts'
import { makeKey } from '../../src/keys/facade-key.ts'

const given = JSON.parse(process.argv[2])
const db = new DatabaseSync(given.db)

/** a row like the first of this table, with other values in some columns */
function copier(table) {
  const row = db.prepare(`SELECT * FROM ${table} LIMIT 1`).get()
  if (!row) return undefined
  const names = Object.keys(row)
  const insert = db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
  return { row, add: (other) => insert.run(...Object.values({ ...row, ...other })) }
}

function addKeys(count) {
  const { add } = copier('keys')
  return Array.from({ length: count }, () => {
    const { id, key } = makeKey('test')
    add({ id, digest: digestOf(key) })
    return key
  })
}

const camel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())
const camelled = (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]))

function addConnections(count) {
  const vault = openVault({ file: given.masterKeys, text: undefined })
  const key = readPrivateKey(readFileSync(given.keyFile, 'utf8'))
  const { row, add } = copier('connections')
  for (let number = 1; number <= count; number++) {
    const own = { ...row, id: `c${number}`, epoch: randomBytes(12).toString('base64url'), key_id: `BENCH${number}` }
    const { masterKey, wrapped, sealed } = vault.close(camelled(own), key)
    add({ ...own, master_key: masterKey, wrapped, sealed })
  }
}

db.exec('BEGIN IMMEDIATE')
const keys = addKeys(given.keys)
addConnections(given.connections)
db.exec('COMMIT')
db.close()
// from all over the table
const step = Math.max(1, Math.floor(keys.length / given.told))
process.stdout.write(`${JSON.stringify(keys.filter((_, i) => i % step === 0).slice(0, given.told))}\n`)
