import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import test from 'node:test'
import { run, vitrine } from '../support/command-line.ts'

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write(`SKIPPED: ${shell} is not here, so its completion is not tried\n`)
    return false
  }
}

const path = `${resolve('bin')}:${process.env['PATH']}`

/** words in front of the cursor, the last one begun -> some of what is offered */
const cases: readonly (readonly [words: string[], offered: string[]])[] = [
  [['re'], ['read', 'review']],
  [['keys', 'cr'], ['create']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [
    ['whoami', '--output', ''],
    ['json', 'table'],
  ],
  [['read', 'getEv'], ['getEvent']],
  [['read', 'listApps', '--fi'], ['--fields --find']],
  [['read', 'getEvent', '--event-'], ['--event-id']],
  [
    ['read', 'listApps', '--sort', '-'],
    ['-bundleId', '-name', '-sku'],
  ],
  [['read', 'listApps', '--sort', 'name,s'], ['name,sku']],
  [['read', 'listApps', '--versionPlatform', 'M'], ['MAC_OS']],
  [
    ['read', 'listApps', '--output', ''],
    ['csv', 'json', 'ndjson', 'table'],
  ],
]

test(
  'the completion of bash offers commands, operations, parameters and listed values',
  { skip: !has('bash') },
  async () => {
    const script = `source <(vitrine completion bash)
    t() { COMP_WORDS=(vitrine "$@"); COMP_CWORD=$#; _vitrine; (IFS=,; printf '%s\\n' "\${COMPREPLY[@]}" | sort | paste -sd' '); }
    ${cases.map(([words]) => `t ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}
    t read listApps --output = js
    t read --url http : //127.0.0.1 : 8080 listApps --so
    t read --url = 'http' : '//[' :: '1]' : 8080 getEv
    t read listApps --sort = -n
    t whoami --output = js
    t whoami --url http : //127.0.0.1 : 8080 --key
    HOME='${process.cwd()}'; COMP_WORDS=('~/bin/vitrine' compl); COMP_CWORD=1; _vitrine; echo "$COMPREPLY"`
    const { out, err } = await run('bash', ['-c', script], { PATH: path })
    assert.equal(err, '')
    const more = ['json', '--sort', 'getEvent', '-name', 'json', '--key-file', 'completion']
    const wanted = [...cases.map(([, offered]) => offered.join(' ')), ...more]
    assert.deepEqual(out.trimEnd().split('\n'), wanted)
  },
)

test('the completion of zsh offers the same', { skip: !has('zsh') }, async () => {
  const script = `compdef() { }
    compadd() { print -rl -- $names | sort | paste -sd' ' }
    source <(vitrine completion zsh)
    t() { words=(vitrine "$@"); CURRENT=$#words; _vitrine }
    ${cases.map(([words]) => `t ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}`
  const { out, err } = await run('zsh', ['-f', '-c', script], { PATH: path, LC_ALL: 'C' })
  assert.equal(err, '')
  assert.deepEqual(
    out.trimEnd().split('\n'),
    cases.map(([, offered]) => offered.join(' ')),
  )
})

test('the completion of fish offers the same', { skip: !has('fish') }, async () => {
  const script = `vitrine completion fish | source
    ${cases.map(([words]) => `complete -C 'vitrine ${words.join(' ')}' | cut -f1 | sort | paste -sd' '`).join('\n')}`
  const { out } = await run('fish', ['-c', script], { PATH: path, LC_ALL: 'C.UTF-8' })
  assert.deepEqual(
    out.trimEnd().split('\n'),
    cases.map(([, offered]) => offered.join(' ')),
  )
})

test('a file is offered where a file stands, and nothing where nothing is known', async () => {
  const offered = async (...words: string[]) => (await vitrine(['complete', '--', ...words])).out
  assert.equal(await offered('read', 'listApps', '--key-file', ''), ':file\n')
  assert.equal(await offered('keys', 'list', '--config', ''), ':file\n')
  assert.equal(await offered('read', 'getEvent', '--eventId', ''), ':closed\n')
  assert.equal(await offered('nothing', ''), ':closed\n')
  assert.equal(
    await offered('read', 'listApps', '--sort', 'name,'),
    ':open\nname,bundleId\t\nname,-bundleId\t\nname,sku\t\nname,-sku\t\n',
  )
  assert.equal(await offered('whoami', '--output=js'), ':closed\n--output=json\t\n')
  assert.equal(await offered('keys', 'list', '--config='), ':file\n')
  assert.match(await offered('read', 'listApps', '--output=js'), /^:closed\n--output=json\t\n$/)
})
