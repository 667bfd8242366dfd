import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import test from 'node:test'

const guide = readFileSync('docs/guides/recipes.md', 'utf8')
const recipes = globSync('examples/**/*').filter((file) => statSync(file).isFile())

test('the guide quotes the recipes verbatim, and links every one', () => {
  const shown = [...guide.matchAll(/^\[(examples\/\S+)\]\(\.\.\/\.\.\/\1\)\n\n```\w+\n(.*?)\n```$/gms)]
  assert.ok(shown.length >= 6)
  for (const [, file = '', block] of shown) assert.equal(`${block}\n`, readFileSync(file, 'utf8'), file)
  assert.equal(guide.match(/^```\w/gm)?.length, shown.length)
  assert.ok(recipes.length >= 8)
  for (const file of recipes) assert.ok(guide.includes(`](../../${file})`), file)
})

test('every recipe with comments says in its first lines what it is for and how to run it', () => {
  for (const file of recipes.filter((name) => !name.endsWith('.json'))) {
    const head = readFileSync(file, 'utf8').split('\n').slice(0, 12).join('\n')
    assert.match(head, /^(#|\/\/|\/\*\*|""")/m, file)
    assert.match(head, /VITRINE_KEY/, file)
  }
})

test('no recipe contains a key or passes one as an argument', () => {
  for (const file of recipes) {
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /vtr_(live|test)_/, file)
    assert.doesNotMatch(text, /(-H|--header)[ =].*VITRINE_KEY/, file)
  }
})

test('the guide has the n8n settings of the recipe', () => {
  const { nodes } = JSON.parse(readFileSync('examples/n8n/apps.json', 'utf8'))
  const { parameters, completeExpression } = nodes[1].parameters.options.pagination.pagination
  for (const expression of [parameters.parameters[0].value, completeExpression])
    assert.ok(guide.includes(`\`${expression.slice(1)}\``), expression)
})

test('the recipes are small', () => {
  for (const file of recipes.filter((name) => !name.endsWith('.json')))
    assert.ok(readFileSync(file, 'utf8').split('\n').length <= 120, file)
})
