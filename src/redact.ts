// The last net before a line leaves the process: what looks like a secret is cut out of it. Nothing is meant to be caught
// here, since no line is built from secrets; whatever a library says of a failure goes through it too.

/** for secret scanners too: SECURITY.md gives it to them */
export const facadeKeyInText = /vtr_(?:live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}/g

const nets: readonly (readonly [RegExp, string])[] = [
  [facadeKeyInText, 'vtr_[redacted]'],
  // three parts of base64url, the first of which begins as every header does; bounded, or hostile text would take minutes
  [/\beyJ[\w-]{8,256}\.[\w-]+\.[\w-]*/g, '[token redacted]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[private key redacted]'],
  // how PKCS#8 and SEC1 of such curves begin in base64, with the lines that follow
  [
    /M(?:IG[\w+/-]AgEAM|EECAQAw|HcCAQEE|DECAQEE)[\w+/=\\%-]{20,}(?:[\s'"+]{1,16}[\w+/=\\%-]{16,})*/g,
    '[private key redacted]',
  ],
  [/\b(Bearer|Basic) +[^\s"',]{8,}/gi, '$1 [redacted]'],
  [/(\b(?:postgres(?:ql)?|rediss?):\/\/[^\s:@/]*):[^\s@/]+@/gi, '$1:[redacted]@'],
  // the last part in letters: what is installed as name@1.2.3 is no address; nor is the user of a server that is named so
  [
    /[^\s"<>(),:;@/\\]{1,64}@(?<!\b(?:postgres(?:ql)?|rediss?):\/\/[^\s@/]{0,128}@)(?:[\p{L}\p{N}_-]{1,63}\.){1,8}\p{L}{2,63}/gu,
    '[address redacted]',
  ],
]

/** what each net catches has one of these in it; nearly every line has none, and is looked through once, and not once for each */
const bait = /vtr_|eyJ|PRIVATE KEY|MIG|MEE|MHc|MDE|bearer|basic|postgres|redis|@/i

/** false: nothing is cut out of this text, nor of any part of it */
export const isSuspect = (text: string): boolean => bait.test(text)

export const redact = (text: string): string =>
  isSuspect(text) ? nets.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text) : text
