// What a container with egress by name has in its environment: most programs and libraries read their proxy, and the certificates
// that they trust, from there.
import type { Secret } from './vault.ts'

/** in the container, on its loopback address */
export const proxyPort = 3128

const proxy = `http://127.0.0.1:${proxyPort}`
const direct = 'localhost,127.0.0.1,::1'

const proxyVariables = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: direct,
  http_proxy: proxy,
  https_proxy: proxy,
  no_proxy: direct,
  // Node.js looks at the others only with this one
  NODE_USE_ENV_PROXY: '1',
}

/** where the relay writes them */
const certificates = '/dev/shm/atelier-ca.pem'

const certificateVariables = Object.fromEntries(
  [
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
    'REQUESTS_CA_BUNDLE',
    'CURL_CA_BUNDLE',
    'GIT_SSL_CAINFO',
    'PIP_CERT',
    'AWS_CA_BUNDLE',
  ].map((name) => [name, certificates]),
)

/** `hasOwnRoots`: the operator has certificates that no image knows */
export function environmentOf(
  secrets: Readonly<Record<string, Secret>>,
  hasOwnRoots: boolean,
): Readonly<Record<string, string>> {
  const placeholders = Object.entries(secrets).map(([name, { placeholder }]) => [name, placeholder] as const)
  const isTrusting = hasOwnRoots || placeholders.length > 0
  return { ...proxyVariables, ...(isTrusting && certificateVariables), ...Object.fromEntries(placeholders) }
}
