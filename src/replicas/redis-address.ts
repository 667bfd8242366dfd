// Where a Redis or Valkey server is; and the words about it, in which a password would be a leak.

const mostWords = 200

export interface Address {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly db: number
  readonly tls: boolean
  /** for people */
  readonly place: string
  /** the words of an error, in which a password would be a leak */
  readonly words: (error: unknown) => string
}

/** `url` is one that the settings have let through */
export function addressOf(url: string): Address {
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
        // they may be the server's, which is free to say as much as it likes
        .slice(0, mostWords),
  }
}
