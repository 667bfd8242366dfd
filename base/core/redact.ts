// Cuts secrets out of a line before it leaves the process. No line is built from secrets; this also covers what libraries put
// into their errors.

export const keyInText = /([a-z]{2,8})_(?:live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g

const nets: readonly (readonly [RegExp, string])[] = [
  [keyInText, '$1_[redacted]'],
  // a key whose kind is not a part of it
  [/\b([a-z]{2,8})_[0-9a-z]{8}_[\w-]{43}_[0-9a-f]{6}(?![\w-])/g, '$1_[redacted]'],
  // a JWT; lengths are bounded, or hostile text would take minutes
  [/\beyJ[\w-]{8,256}\.[\w-]+\.[\w-]*/g, '[token redacted]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[private key redacted]'],
  // PKCS#8 and SEC1 keys in base64, with the lines that follow
  [
    /M(?:IG[\w+/-]AgEAM|EECAQAw|HcCAQEE|DECAQEE)[\w+/=\\%-]{20,}(?:[\s'"+]{1,16}[\w+/=\\%-]{16,})*/g,
    '[private key redacted]',
  ],
  [/\b(Bearer|Basic) +[^\s"',]{8,}/gi, '$1 [redacted]'],
  [/(\b(?:postgres(?:ql)?|rediss?|https?):\/\/[^\s:@/]*):[^\s@/]+@/gi, '$1:[redacted]@'],
  // an URL with a password; the last part is letters, so that name@1.2.3 is no match
  [
    /[^\s"<>(),:;@/\\]{1,64}@(?<!\b(?:postgres(?:ql)?|rediss?):\/\/[^\s@/]{0,128}@)(?:[\p{L}\p{N}_-]{1,63}\.){1,8}\p{L}{2,63}/gu,
    '[address redacted]',
  ],
]

/** a line without one of these needs no other check */
const bait = /_live_|_test_|[a-z]_[0-9a-z]{8}_|eyJ|PRIVATE KEY|MIG|MEE|MHc|MDE|bearer|basic|postgres|redis|@/i

export const isSuspect = (text: string): boolean => bait.test(text)

export const redact = (text: string): string =>
  isSuspect(text) ? nets.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text) : text
