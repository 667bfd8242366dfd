// What a container with egress by name has in its environment: most programs and libraries read their proxy from there.

/** in the container, on its loopback address */
export const proxyPort = 3128

const proxy = `http://127.0.0.1:${proxyPort}`
const direct = 'localhost,127.0.0.1,::1'

export const proxyEnvironment: Readonly<Record<string, string>> = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: direct,
  http_proxy: proxy,
  https_proxy: proxy,
  no_proxy: direct,
  // Node.js looks at the others only with this one
  NODE_USE_ENV_PROXY: '1',
}
