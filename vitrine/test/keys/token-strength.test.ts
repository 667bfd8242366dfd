import assert from 'node:assert/strict'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import test from 'node:test'
import { isStrong } from '../../../base/auth/token-strength.ts'

const rounds = 2_000

const drawn = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

const letters = 'abcdefghijklmnopqrstuvwxyz'

test('random tokens of 128 bits or more are strong', () => {
  const makers: readonly [name: string, make: () => string, exceptions: number][] = [
    ['openssl rand -hex 16', () => randomBytes(16).toString('hex'), 0],
    ['openssl rand -hex 32', () => randomBytes(32).toString('hex').toUpperCase(), 0],
    ['openssl rand -base64 16', () => randomBytes(16).toString('base64'), 0],
    ['openssl rand -base64 32', () => randomBytes(32).toString('base64'), 0],
    // one in 150,000 has letters of one case only, and could be of another alphabet
    ['22 characters of base64url', () => randomBytes(17).toString('base64url').slice(0, 22), 1],
    ['26 characters of base32', () => drawn(`${letters}234567`, 26), 0],
    ['28 letters', () => drawn(letters, 28), 0],
    ['32 characters of base64url', () => randomBytes(24).toString('base64url'), 0],
    ['24 letters of both cases', () => drawn(letters + letters.toUpperCase(), 24), 0],
    ['two UUIDs', () => `${randomUUID()}.${randomUUID()}`, 0],
    ['48 digits', () => drawn('0123456789', 48), 0],
  ]
  for (const [name, make, exceptions] of makers) {
    const refused = Array.from({ length: rounds }, make).filter((token) => !isStrong(token))
    assert.ok(refused.length <= exceptions, `${name}: ${refused.join(' ')}`)
  }
})

test('short, repeated, sequential and dictionary tokens are weak', () => {
  for (const token of [
    '',
    'short',
    'q8Zr2Vx5Lm7Tn4Kp9Wd3a',
    'a'.repeat(64),
    'ab'.repeat(32),
    'abcde'.repeat(12),
    'password'.repeat(4),
    'Password1'.repeat(4),
    'hunter2-hunter2-hunter2-hunter2',
    'q8Zr2Vx5Lm7Tn4Kp'.repeat(2),
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyz',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'qwertyuiopasdfghjklzxcvbnm',
    'QwertyuiopAsdfghjklZxcvbnm123',
    'poiuytrewqlkjhgfdsamnbvcxz0987654321',
    'ABCDefghIJKLmnopQRSTuvwxYZ',
    'the-token-of-the-operator',
    'correct-horse-battery-staple',
    'CORRECT-HORSE-BATTERY-STAPLE-AND-SO-ON',
    'correct-horse-battery-staple-2026',
    'Correct-Horse-Battery-Staple',
    'correct-HORSE-battery-staple',
    'correct_horse2024_battery.staple!',
    '2026-11-28-correct-horse-battery',
    'CorrectHorseBatteryStaple2026',
    'f00dfacecafebeef0123456789abcde',
    '31415926535897932384626433832795028',
  ])
    assert.ok(!isStrong(token), token)
})
