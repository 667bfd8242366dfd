// The address of a Redis or Valkey server, and error texts without its password.

const mostWords = 200

export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly db: number
  readonly tls: boolean
  readonly place: string
  readonly words: (error: unknown) => string
}

export function redisAddress(url: string): RedisAddress {
  const { protocol, username, password, hostname, port, pathname } = new URL(url)
  const plain = decodeURIComponent(password)
  const secrets = [password, plain].filter(Boolean)
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(port || 6379),
    username: decodeURIComponent(username),
    password: plain,
    db: Number(pathname.slice(1) || 0),
    tls: protocol === 'rediss:',
    place: `${protocol}//${username && `${username}@`}${hostname}:${port || 6379}${pathname}`,
    words: (error) =>
      secrets
        .reduce((text, secret) => text.replaceAll(secret, '…'), error instanceof Error ? error.message : String(error))
        // the server chooses the text, at any length
        .slice(0, mostWords),
  }
}
