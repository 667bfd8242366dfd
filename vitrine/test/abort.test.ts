import assert from 'node:assert/strict'
import test from 'node:test'
import { LightAbort } from '../../base/core/abort.ts'

test('an abort notifies each listener once with the first reason, and no listener that left or came later', () => {
  const ending = new LightAbort()
  const heard: string[] = []
  const leaver = () => heard.push('leaver')
  ending.addEventListener('abort', () => heard.push('a'))
  ending.addEventListener('abort', leaver)
  ending.addEventListener('abort', () => heard.push('b'))
  ending.removeEventListener('abort', leaver)
  assert.equal(ending.aborted, false)
  const reason = new Error('late')
  ending.abort(reason)
  ending.abort(new Error('later'))
  ending.addEventListener('abort', () => heard.push('latecomer'))
  assert.deepEqual([heard, ending.aborted, ending.reason], [['a', 'b'], true, reason])
})

test('a listener may remove itself or another during notification', () => {
  const ending = new LightAbort()
  const heard: string[] = []
  const second = () => heard.push('second')
  ending.addEventListener('abort', () => {
    heard.push('first')
    ending.removeEventListener('abort', second)
  })
  ending.addEventListener('abort', second)
  ending.abort(undefined)
  assert.deepEqual(heard, ['first'])
})
